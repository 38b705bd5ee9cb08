// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.program;

import dev.evita.api.EvitaException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The transaction of a {@link JavaHandler}. Used by the thread that runs the handler. */
public interface HandlerTransaction {

  /**
   * Executes statements in the engine's own language, and returns the rows of the last one. Blocks.
   *
   * <p>The values are the columns of the relation {@code request}, as in {@code query("select name
   * from users join request on users.id = request.id", Map.of("id", 7))}; none of them becomes a
   * part of the text.
   *
   * @param values by name: {@code String}, {@code Boolean}, {@code Integer}, {@code Long}, {@code
   *     BigDecimal}, {@code Double}, {@code byte[]}, {@code LocalDate}, {@code LocalDateTime},
   *     {@code OffsetDateTime} or {@code UUID}
   * @return each row by the names of its columns in lower case
   * @throws EvitaException of the engine; the handler then cannot use the transaction any more
   */
  List<Map<String, @Nullable Object>> query(String text, Map<String, ?> values);
}
