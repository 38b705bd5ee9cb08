// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.ForeignKey;
import dev.evita.api.Key;
import dev.evita.api.Routine;
import dev.evita.api.Schema;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A small shop: brands, products, their prices, and a routine that echoes. */
public final class ShopData {

  static final TableName BRANDS = new TableName("PUBLIC", "BRANDS");
  static final TableName PRODUCTS = new TableName("PUBLIC", "PRODUCTS");
  static final TableName PRICES = new TableName("PUBLIC", "PRICES");

  private ShopData() {}

  public static Catalog catalog() {
    var echo =
        new Routine(
            "PUBLIC",
            "ECHO",
            List.of(Column.of("MESSAGE", DataType.Scalar.TEXT, false)),
            List.of(Column.of("MESSAGE", DataType.Scalar.TEXT, true)),
            false,
            true,
            "Says it again.");
    return new Catalog(
        1,
        "PUBLIC",
        Catalog.Folding.UPPER,
        List.of(
            new Schema("PUBLIC", List.of(brands(), products(), prices()), List.of(echo), null)));
  }

  public static Table table(
      TableName name, List<Column> columns, List<String> key, List<ForeignKey> foreign) {
    return new Table(
        name,
        Table.Kind.TABLE,
        columns,
        key.isEmpty() ? null : new Key("PK", key),
        List.of(),
        List.of(),
        foreign,
        null);
  }

  private static Table brands() {
    return table(
        BRANDS,
        List.of(
            Column.of("ID", DataType.Scalar.INT32, false),
            Column.of("NAME", DataType.Scalar.TEXT, false)),
        List.of("ID"),
        List.of());
  }

  private static Table products() {
    return table(
        PRODUCTS,
        List.of(
            Column.of("ID", DataType.Scalar.INT32, false),
            Column.of("NAME", DataType.Scalar.TEXT, true),
            Column.of("WEIGHT", DataType.Scalar.DECIMAL, true),
            Column.of("ADDED", DataType.Scalar.DATE, true),
            Column.of("SERIAL", DataType.Scalar.INT64, true),
            Column.of("ACTIVE", DataType.Scalar.BOOLEAN, false),
            Column.of("BRAND_ID", DataType.Scalar.INT32, true)),
        List.of("ID"),
        List.of(new ForeignKey("FK_BRAND", List.of("BRAND_ID"), BRANDS, List.of("ID"))));
  }

  private static Table prices() {
    return table(
        PRICES,
        List.of(
            Column.of("PRODUCT_ID", DataType.Scalar.INT32, false),
            Column.of("CURRENCY", DataType.Scalar.TEXT, false),
            Column.of("AMOUNT", DataType.Scalar.DECIMAL, false)),
        List.of("PRODUCT_ID", "CURRENCY"),
        List.of(new ForeignKey("FK_PRODUCT", List.of("PRODUCT_ID"), PRODUCTS, List.of("ID"))));
  }

  public static MemoryEngine engine() {
    var engine = new MemoryEngine(catalog());
    for (int i = 1; i <= 3; i++) {
      engine.add(BRANDS, row("ID", (long) i, "NAME", "Brand " + i));
    }
    for (int i = 1; i <= 12; i++) {
      engine.add(PRODUCTS, product(i));
      for (var currency : List.of("CZK", "EUR", "USD").subList(0, i % 4)) {
        var amount = BigDecimal.valueOf(i * 1050L + currency.hashCode() % 7, 2);
        engine.add(PRICES, row("PRODUCT_ID", (long) i, "CURRENCY", currency, "AMOUNT", amount));
      }
    }
    return engine;
  }

  private static Map<String, @Nullable Object> product(int i) {
    return row(
        "ID",
        (long) i,
        "NAME",
        i % 5 == 0 ? null : "Product \"" + i % 7 + "\" é",
        "WEIGHT",
        i % 3 == 0 ? null : BigDecimal.valueOf(i * 25L, 2),
        "ADDED",
        i % 6 == 0 ? null : LocalDate.of(2026, 1 + i % 4, i),
        "SERIAL",
        i % 4 == 0 ? null : Long.MAX_VALUE - i,
        "ACTIVE",
        i % 2 == 0,
        "BRAND_ID",
        i % 4 == 3 ? null : (Object) (long) (i % 4 + 1));
  }

  static Map<String, @Nullable Object> row(@Nullable Object... namesAndValues) {
    var row = new HashMap<String, @Nullable Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return row;
  }
}
