// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.Catalog;
import dev.evita.api.DataType;
import dev.evita.engine.jdbc.dialect.ScriptRules;
import dev.evita.engine.jdbc.value.Codec;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The syntax of scripts, their arguments and results, in SQLite. */
final class SqliteScripts extends ScriptRules {

  /** Functions that load code, or may take long. */
  private static final Set<String> OTHERS = Set.of("LOAD_EXTENSION", "RANDOMBLOB", "ZEROBLOB");

  private static final Pattern INPUT =
      Pattern.compile("SCAN (CONSTANT ROW|\\d+ CONSTANT ROWS|request)( .*)?");

  /** The index of a key that the table's definition has; its name has the table's. */
  private static final Pattern KEY =
      Pattern.compile(
          "SEARCH .* USING (COVERING )?INDEX sqlite_autoindex_(?<table>.*)_\\d+ \\((?<terms>.*)\\).*");

  private static final Pattern EQUAL = Pattern.compile("(\\w+)=\\?");

  /** SQLite has no functions of the user's that write. */
  @Override
  public boolean isHarmless(String word) {
    return !OTHERS.contains(word);
  }

  @Override
  public Set<String> harmlessFunctions() {
    return Set.of();
  }

  @Override
  public Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException {
    var type = SqliteTypeNames.type(String.valueOf(columns.getColumnTypeName(index)));
    return SqliteValues.codecOf(type, "", columns.getColumnLabel(index));
  }

  /** The driver fails for the metadata of a statement without a result. */
  @Override
  public int columns(@Nullable ResultSetMetaData metadata) {
    try {
      return super.columns(metadata);
    } catch (SQLException e) {
      return 0;
    }
  }

  /** For an expression, which has no declared type, the driver reports NUMERIC. */
  @Override
  public Codec compiledCodec(ResultSetMetaData columns, int index) throws SQLException {
    return columns.getColumnTypeName(index).equals("NUMERIC")
        ? new SqliteStoredCodec(columns.getColumnLabel(index))
        : resultCodec(columns, index);
  }

  /** SQLite converts a value without a type to that of the column that it is compared with. */
  @Override
  public String input(DataType.Scalar type) {
    return "?";
  }

  @Override
  protected String inputType(DataType.Scalar type) {
    throw new IllegalStateException("SQLite's inputs have no types");
  }

  /** Each column is a JSON array; the first one provides the number of rows. */
  @Override
  public String inputRows(List<DataType.Scalar> types) {
    var values = new ArrayList<String>();
    var arrays = new ArrayList<String>();
    for (int i = 0; i < types.size(); i++) {
      var value = i == 0 ? "r.value" : "json_extract(c" + i + ", '$[' || r.key || ']')";
      values.add(types.get(i) == DataType.Scalar.BINARY ? "unhex(" + value + ")" : value);
      arrays.add("? as c" + i);
    }
    return "select %s from (select %s), json_each(c0) r"
        .formatted(String.join(", ", values), String.join(", ", arrays));
  }

  @Override
  public String explain() {
    return "explain query plan ";
  }

  /** A plan has one line for each access, as in {@code SEARCH t USING INDEX i (a=? AND b=?)}. */
  @Override
  public boolean isBounded(String plan, Catalog catalog) {
    return plan.lines()
            .noneMatch(line -> line.startsWith("SCAN ") && !INPUT.matcher(line).matches())
        && plan.lines()
            .filter(line -> line.startsWith("SEARCH "))
            .allMatch(line -> byKey(line, catalog))
        && plan.lines().noneMatch(line -> line.startsWith("RECURSIVE"));
  }

  private static boolean byKey(String line, Catalog catalog) {
    if (line.contains(" USING INTEGER PRIMARY KEY (rowid=?)")) {
      return true;
    }
    var key = KEY.matcher(line);
    if (!key.matches()) {
      return false;
    }
    var equal = EQUAL.matcher(key.group("terms")).results().map(term -> term.group(1)).toList();
    return catalog.tables().stream()
        .filter(table -> table.name().table().equals(key.group("table")))
        .anyMatch(table -> table.identifies(equal));
  }

  @Override
  public boolean dollarQuotes() {
    return false;
  }

  @Override
  public boolean triggerBodies() {
    return true;
  }

  @Override
  public void bindAny(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    SqliteCodec.bindValue(statement, index, value, "a parameter");
  }
}
