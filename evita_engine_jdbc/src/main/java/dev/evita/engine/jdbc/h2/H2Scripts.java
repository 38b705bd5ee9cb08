// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.engine.jdbc.dialect.ScriptRules;
import dev.evita.engine.jdbc.value.Codec;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/** The syntax of scripts, their arguments and results, in H2. */
final class H2Scripts extends ScriptRules {

  @Override
  public Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException {
    var name = columns.getColumnTypeName(index);
    return new H2Codec(H2TypeNames.resultType(name), name, columns.getColumnLabel(index));
  }
}
