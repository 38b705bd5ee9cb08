// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Catalog;
import dev.evita.api.DataType;
import dev.evita.engine.jdbc.value.Codec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The syntax of scripts, their arguments and results. Immutable. */
public abstract class ScriptRules {

  /** Keywords that may precede a parenthesis in a query, in all dialects. */
  static final Set<String> KEYWORDS =
      words(
          """
          ALL AND ANY ARRAY AS BETWEEN BY CASE CAST CHAR DECIMAL DISTINCT ELSE EXCEPT EXISTS FILTER FROM
          GROUP HAVING IN INTERSECT INTERVAL JOIN LATERAL LIKE LIMIT MATERIALIZED NOT NUMERIC OFFSET ON OR
          ORDER OVER PARTITION ROW SELECT SOME THEN UNION USING VALUES VARCHAR WHEN WHERE WITHIN
          """);

  /** Whether a script may contain dollar quotes. */
  public boolean dollarQuotes() {
    return true;
  }

  /** Whether a script may contain triggers with bodies between BEGIN and END. */
  public boolean triggerBodies() {
    return false;
  }

  /** Whether {@code ??} is an escaped question mark rather than a placeholder. */
  public boolean doubledQuestionMark() {
    return false;
  }

  /** Binds an argument of a script, whose type is unknown. */
  public void bindAny(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(index, Types.NULL);
      case BigInteger number -> statement.setBigDecimal(index, new BigDecimal(number));
      case List<?> list -> statement.setObject(index, list.toArray());
      default -> statement.setObject(index, value);
    }
  }

  /** Renders the placeholder of a native query's input, with its type. */
  public String input(DataType.Scalar type) {
    return "cast(? as " + inputType(type) + ")";
  }

  /**
   * Renders the query that returns rows of a native query's input, from one array of values for
   * each column.
   */
  public String inputRows(List<DataType.Scalar> types) {
    return "select * from unnest("
        + types.stream()
            .map(type -> "cast(? as " + inputType(type) + " array)")
            .collect(Collectors.joining(", "))
        + ")";
  }

  /** The name of the type of a native query's input. */
  protected abstract String inputType(DataType.Scalar type);

  /**
   * The condition of the query that returns the inputs of a native query, which is true for each
   * row; empty for none.
   */
  public String inputCondition() {
    return "";
  }

  /** Whether an insert, update or delete can begin with {@code WITH}. */
  public boolean allowsWithBeforeWrites() {
    return true;
  }

  /**
   * Whether the database's plan of a query looks each row up by a unique key, so that the query
   * certainly ends soon.
   *
   * @param plan as returned by {@link #explain}
   */
  public boolean isBounded(String plan, Catalog catalog) {
    return false;
  }

  /** The prefix by which the database explains a statement. */
  public String explain() {
    return "explain ";
  }

  /**
   * Whether a word before a parenthesis certainly has no effect on data: a keyword, or a built-in
   * function that only reads and that no function of the user's can replace.
   *
   * @param word in upper case
   */
  public boolean isHarmless(String word) {
    return KEYWORDS.contains(word) || harmlessFunctions().contains(word);
  }

  /** The functions for {@link #isHarmless}. */
  public abstract Set<String> harmlessFunctions();

  /** Returns the words of a text. */
  protected static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }

  /** The number of columns that a statement returns; 0 if it returns none. */
  public int columns(@Nullable ResultSetMetaData metadata) throws SQLException {
    return metadata == null ? 0 : metadata.getColumnCount();
  }

  /** Returns the codec of a result column of a statement that was compiled, but not executed. */
  public Codec compiledCodec(ResultSetMetaData columns, int index) throws SQLException {
    return resultCodec(columns, index);
  }

  /** Returns the codec of a script's result column. */
  public abstract Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException;
}
