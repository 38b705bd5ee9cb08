// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Arguments;
import dev.evita.engine.jdbc.value.ParentKeys;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rendered statement and what its placeholders are bound to.
 *
 * @param binds in the order of the placeholders
 */
public record SqlText(String sql, List<Bind> binds) {
  public SqlText {
    binds = List.copyOf(binds);
  }

  public void bind(PreparedStatement statement, Arguments arguments, @Nullable ParentKeys keys)
      throws SQLException {
    for (int i = 0; i < binds.size(); i++) {
      binds.get(i).bind(statement, i + 1, arguments, keys);
    }
  }
}
