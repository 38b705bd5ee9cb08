// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.math.BigDecimal;
import java.text.Normalizer;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the demo, table by table in the order of their foreign keys, always the same ones.
 * One pass; not thread-safe.
 */
final class DemoData {

  static final int BRANDS = 200;
  static final int PRODUCTS = 12_000;
  static final int CUSTOMERS = 8_000;
  static final int ORDERS = 84_000;
  static final int REVIEWS = 24_000;

  /** The approximate number of rows; the full length of the progress bar. */
  static final long ROWS_ABOUT = 410_000;

  private static final List<String> WAREHOUSES = List.of("Hamburg", "Lyon", "Brno");
  private static final List<String> STATUSES =
      List.of(
          "delivered",
          "delivered",
          "delivered",
          "delivered",
          "shipped",
          "paid",
          "new",
          "returned",
          "cancelled");
  private static final OffsetDateTime START =
      OffsetDateTime.of(2023, 1, 1, 8, 0, 0, 0, ZoneOffset.UTC);
  private static final int DAYS = 1_000;

  private final DemoRandom random = new DemoRandom(20_260_101);
  private final List<String> kinds = new ArrayList<>();
  private final List<Integer> leaves = new ArrayList<>();
  private final int[] cents = new int[PRODUCTS + 1];

  /** A table and its columns, by their API names. */
  record Target(String table, List<String> columns) {
    static Target of(String table, String... columns) {
      return new Target(table, List.of(columns));
    }
  }

  /** The rows of one table, in as many values as the target has columns. */
  interface Rows {
    void each(Consumer<@Nullable Object[]> action);
  }

  /** Receives the rows of one table. */
  interface Loader {
    void load(Target target, Rows rows);
  }

  /** Passes all rows of all tables to the loader. */
  void load(Loader loader) {
    loader.load(Target.of("brands", "id", "name", "country", "founded", "website"), this::brands);
    loader.load(
        Target.of("categories", "id", "parent_id", "name", "slug", "position"), this::categories);
    loader.load(
        Target.of(
            "products",
            "id",
            "sku",
            "name",
            "description",
            "brand_id",
            "category_id",
            "weight_grams",
            "active",
            "created_at"),
        this::products);
    loader.load(
        Target.of("prices", "id", "product_id", "currency", "amount", "valid_from"), this::prices);
    loader.load(
        Target.of("stock", "product_id", "warehouse", "quantity", "reorder_level"), this::stock);
    loader.load(
        Target.of(
            "customers",
            "id",
            "email",
            "first_name",
            "last_name",
            "city",
            "country",
            "registered_on"),
        this::customers);
    loadOrders(loader);
    loader.load(
        Target.of(
            "reviews", "id", "product_id", "customer_id", "rating", "title", "body", "created_at"),
        this::reviews);
  }

  private void brands(Consumer<@Nullable Object[]> rows) {
    for (int id = 1; id <= BRANDS; id++) {
      var first = DemoWords.BRAND_FIRST.get((id - 1) % DemoWords.BRAND_FIRST.size());
      var last = DemoWords.BRAND_LAST.get((id - 1) / DemoWords.BRAND_FIRST.size());
      var name = first + last;
      var founded = random.below(10) == 0 ? null : random.between(1850, 2020);
      rows.accept(
          new @Nullable Object[] {
            id,
            name,
            random.pick(DemoWords.COUNTRIES),
            founded,
            "https://" + slug(name) + ".example"
          });
    }
  }

  private void categories(Consumer<@Nullable Object[]> rows) {
    var id = 0;
    var departments = DemoWords.TREE.keySet().stream().sorted().toList();
    for (var department : departments) {
      var top = ++id;
      rows.accept(category(top, null, department, "", departments.indexOf(department)));
      var namesByGroup = Objects.requireNonNull(DemoWords.TREE.get(department));
      var groups = namesByGroup.keySet().stream().sorted().toList();
      for (var group : groups) {
        var middle = ++id;
        rows.accept(category(middle, top, group, department, groups.indexOf(group)));
        var names = Objects.requireNonNull(namesByGroup.get(group));
        for (var name : names) {
          rows.accept(category(++id, middle, name, department + " " + group, names.indexOf(name)));
          kinds.add(name);
          leaves.add(id);
        }
      }
    }
  }

  private static @Nullable Object[] category(
      int id, @Nullable Integer parent, String name, String above, int position) {
    return new @Nullable Object[] {id, parent, name, slug(above + " " + name), position + 1};
  }

  private void products(Consumer<@Nullable Object[]> rows) {
    for (int id = 1; id <= PRODUCTS; id++) {
      var kind = random.below(kinds.size());
      var style = random.pick(DemoWords.STYLES);
      var look = random.pick(DemoWords.LOOKS);
      var name = style + " " + kinds.get(kind) + ", " + look;
      var description =
          "A "
              + style.toLowerCase(Locale.ROOT)
              + " kind of "
              + kinds.get(kind).toLowerCase(Locale.ROOT)
              + " in "
              + look.toLowerCase(Locale.ROOT)
              + ".";
      cents[id] = 495 + 500 * random.skewed(100) + 5 * random.below(100);
      rows.accept(
          new @Nullable Object[] {
            id,
            "EV-%06d".formatted(id),
            name,
            random.below(20) == 0 ? null : description,
            1 + random.skewed(BRANDS),
            leaves.get(kind),
            random.between(20, 9_000),
            random.below(25) != 0,
            START.plusMinutes(random.below(200 * 1_440))
          });
    }
  }

  private void prices(Consumer<@Nullable Object[]> rows) {
    var id = 0;
    var day = LocalDate.of(2023, 1, 1);
    for (int product = 1; product <= PRODUCTS; product++) {
      rows.accept(new Object[] {++id, product, "EUR", money(cents[product]), day});
      rows.accept(new Object[] {++id, product, "USD", money(cents[product] * 108L / 100), day});
    }
  }

  private void stock(Consumer<@Nullable Object[]> rows) {
    for (int product = 1; product <= PRODUCTS; product++) {
      for (var warehouse : WAREHOUSES) {
        if (random.below(5) != 0) {
          var quantity = random.skewed(400);
          rows.accept(new Object[] {product, warehouse, quantity, 5 * random.between(1, 10)});
        }
      }
    }
  }

  private void customers(Consumer<@Nullable Object[]> rows) {
    for (int id = 1; id <= CUSTOMERS; id++) {
      var first = random.pick(DemoWords.FIRST_NAMES);
      var last = random.pick(DemoWords.LAST_NAMES);
      var place = random.below(DemoWords.CITIES.size());
      var email = slug(first) + "." + slug(last) + id + "@example.com";
      rows.accept(
          new Object[] {
            id,
            email,
            first,
            last,
            DemoWords.CITIES.get(place),
            DemoWords.COUNTRIES.get(place),
            START.toLocalDate().plusDays(random.below(DAYS))
          });
    }
  }

  /** Orders and their lines: the lines are created with the orders and loaded afterwards. */
  private void loadOrders(Loader loader) {
    var lines = new ArrayList<@Nullable Object[]>();
    loader.load(
        Target.of("orders", "id", "customer_id", "status", "ordered_at", "total"),
        rows -> {
          for (long id = 1; id <= ORDERS; id++) {
            rows.accept(order(id, lines));
          }
        });
    loader.load(
        Target.of("order_lines", "order_id", "line_no", "product_id", "quantity", "unit_price"),
        lines::forEach);
  }

  private @Nullable Object[] order(long id, List<@Nullable Object[]> lines) {
    var total = 0L;
    var count = 1 + random.below(4);
    for (int line = 1; line <= count; line++) {
      var product = 1 + random.skewed(PRODUCTS);
      var quantity = 1 + random.skewed(5);
      total += (long) quantity * cents[product];
      lines.add(new Object[] {id, line, product, quantity, money(cents[product])});
    }
    var minute = random.below(24 * 60);
    var day = (int) (id * DAYS / ORDERS);
    return new Object[] {
      id,
      1 + random.skewed(CUSTOMERS),
      random.pick(STATUSES),
      START.plusDays(day).plusMinutes(minute),
      money(total)
    };
  }

  private void reviews(Consumer<@Nullable Object[]> rows) {
    for (int id = 1; id <= REVIEWS; id++) {
      var rating = 5 - random.skewed(5);
      var body = random.below(3) == 0 ? null : random.pick(DemoWords.REMARKS);
      rows.accept(
          new @Nullable Object[] {
            id,
            1 + random.skewed(PRODUCTS),
            1 + random.skewed(CUSTOMERS),
            rating,
            DemoWords.PRAISE.get(rating - 1),
            body,
            START.plusMinutes(random.below(DAYS * 1_440))
          });
    }
  }

  private static BigDecimal money(long cents) {
    return BigDecimal.valueOf(cents, 2);
  }

  private static String slug(String text) {
    var plain = Normalizer.normalize(text.strip(), Normalizer.Form.NFD).toLowerCase(Locale.ROOT);
    return plain.replace("ø", "o").replaceAll("[\\p{M}']", "").replaceAll("[^a-z0-9]+", "-");
  }
}
