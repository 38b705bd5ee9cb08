// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.DataType;
import dev.evita.engine.jdbc.value.Codec;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads an expression, whose type differs by row, in the class that SQLite stores it as. */
final class SqliteStoredCodec extends Codec {

  SqliteStoredCodec(String where) {
    super(DataType.Scalar.TEXT, where);
  }

  @Override
  protected @Nullable Object readObject(ResultSet rows, int index) throws SQLException {
    var value = rows.getObject(index);
    return value instanceof Integer number ? Long.valueOf(number) : value;
  }
}
