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
import org.jspecify.annotations.Nullable;

/** The syntax of scripts, their arguments and results. Immutable. */
public abstract class ScriptRules {

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
  public abstract String input(DataType.Scalar type);

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
