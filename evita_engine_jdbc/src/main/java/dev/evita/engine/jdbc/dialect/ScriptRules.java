// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

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

  /** Returns the codec of a script's result column. */
  public abstract Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException;
}
