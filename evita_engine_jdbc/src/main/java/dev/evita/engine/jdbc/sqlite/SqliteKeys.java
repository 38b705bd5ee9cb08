// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.DataType;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.Columns;
import dev.evita.engine.jdbc.dialect.KeyExpressions;
import dev.evita.engine.jdbc.dialect.LevelKey;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.value.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Renders the conditions by which the keys of a nested level select its rows, in SQLite. */
final class SqliteKeys extends KeyExpressions {

  @Override
  public boolean joinsTuples() {
    return false;
  }

  /** The catalog does not contain the collation of a column. */
  @Override
  protected boolean exactText(String nativeType) {
    return false;
  }

  @Override
  protected boolean keepsTypes() {
    return false;
  }

  /**
   * Each part is cast to the affinity of the parent's column, so that it compares like that column:
   * whether 1 equals '1' depends on both sides.
   */
  @Override
  public org.jooq.Table<?> tuples(Sql sql, LevelKey key) {
    var parts = new ArrayList<String>();
    for (int i = 0; i < key.codecs().size(); i++) {
      var value = extracted(i, key.codecs().get(i));
      var affinity = affinity(key.natives().get(i), key.codecs().get(i).type());
      var cast = affinity.isEmpty() ? value : "cast(%s as %s)".formatted(value, affinity);
      parts.add(cast + " as \"k" + i + "\"");
    }
    var values =
        DSL.table(
            "(select \"key\" + 1 as \"n\", %s from json_each({0})) as \"k\""
                .formatted(String.join(", ", parts)),
            sql.place(tuples(key.codecs().size())));
    return key.natives().stream().anyMatch(SqliteKeys::isText) ? collated(values, key) : values;
  }

  private static boolean isText(String declaration) {
    return affinity(declaration, DataType.Scalar.TEXT).equals("text");
  }

  /**
   * Uses the keys' own columns if these are the referenced ones: a value has no collation, and the
   * catalog does not contain that of a column.
   */
  private static org.jooq.Table<?> collated(org.jooq.Table<?> values, LevelKey key) {
    var join = Objects.requireNonNull(key.join());
    if (!join.toRefers()) {
      return values;
    }
    var columns = new ArrayList<Field<?>>();
    columns.add(Sql.column("k", "n"));
    var same = DSL.noCondition();
    for (int i = 0; i < key.columns().size(); i++) {
      var column = Sql.column("p", join.relationship().fromColumns().get(i));
      columns.add(column.as(DSL.quotedName("k" + i)));
      same = same.and(column.eq(Sql.column("k", "k" + i)));
    }
    var parents = Sql.table(join.from().name()).as(DSL.quotedName("p"));
    return DSL.select(columns).from(values).join(parents).on(same).asTable(DSL.quotedName("k"));
  }

  /**
   * The affinity of a column of this declaration, by the rules of "Datatypes In SQLite", section
   * 3.1; empty for none, and for texts in numeric columns, which a cast would truncate to a number.
   */
  private static String affinity(String declaration, DataType type) {
    var name = declaration.toUpperCase(Locale.ROOT);
    if (name.contains("INT")) {
      return "integer";
    }
    if (name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT")) {
      return "text";
    }
    if (name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB")) {
      return "real";
    }
    return Columns.isNumber(type) ? "numeric" : "";
  }

  @Override
  public Condition inTuples(Sql sql, List<Field<Object>> columns, List<Codec> codecs) {
    var parts = new ArrayList<Field<?>>(columns);
    parts.add(sql.place(tuples(codecs.size())));
    var left =
        IntStream.range(0, columns.size())
            .mapToObj(part -> "{" + part + "}")
            .collect(Collectors.joining(", "));
    var right =
        IntStream.range(0, columns.size())
            .mapToObj(part -> extracted(part, codecs.get(part)))
            .collect(Collectors.joining(", "));
    var text = "(%s) in (select %s from json_each({%d}))".formatted(left, right, columns.size());
    return DSL.condition(text, parts.toArray(Field<?>[]::new));
  }

  private static String extracted(int part, Codec codec) {
    var value = "json_extract(value, '$[" + part + "]')";
    return codec.type() == DataType.Scalar.BINARY ? "unhex(" + value + ")" : value;
  }

  private static Bind tuples(int parts) {
    return new Bind.KeyText(keys -> SqliteCodec.tuples(keys, parts));
  }
}
