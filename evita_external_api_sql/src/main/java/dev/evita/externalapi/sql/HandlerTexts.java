// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import dev.evita.api.Catalog;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.sql.store.HandlerDirectory;
import dev.evita.externalapi.sql.store.HandlerTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the texts of all configured handlers. */
final class HandlerTexts {

  private HandlerTexts() {}

  /**
   * The texts by their names.
   *
   * @param catalog with the server's own tables
   * @throws dev.evita.api.EvitaException as {@code HandlerSource.read}
   */
  static Map<String, String> read(SqlOptions options, Catalog catalog, Statements statements) {
    var texts = new TreeMap<String, String>();
    var directory = options.handlers();
    if (directory != null) {
      texts.putAll(new HandlerDirectory(directory, "handlers", List.of(".sql")).read());
    }
    if (options.handlersTable()) {
      texts.putAll(new HandlerTable(catalog, statements).read());
    }
    return texts;
  }
}
