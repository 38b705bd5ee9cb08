// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.store;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.Output;
import dev.evita.api.Script;
import dev.evita.api.Select;
import dev.evita.externalapi.core.transaction.SystemTable;
import dev.evita.externalapi.core.work.BlockingExecution;
import dev.evita.externalapi.core.work.Statements;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rows of {@code evita_http_handler}, which is created if it does not exist. */
public final class HandlerTable implements HandlerSource {

  private static final List<String> COLUMNS = List.of("name", "text");

  private final Catalog catalog;
  private final Statements statements;

  /**
   * @param catalog with the server's own tables
   */
  public HandlerTable(Catalog catalog, Statements statements) {
    this.catalog = catalog;
    this.statements = statements;
  }

  @Override
  public Map<String, String> read() {
    var table = SystemTable.HTTP_HANDLERS.in(catalog);
    if (table.isEmpty()) {
      // Its rows are read with the next epoch, which the new table causes.
      var create = statements.prepare(Script.of(SystemTable.HTTP_HANDLERS.script()));
      BlockingExecution.run(create, Arguments.NONE, row -> {});
      return Map.of();
    }
    var names = SystemTable.columns(table.get(), COLUMNS);
    if (names.isEmpty()) {
      throw SystemTable.lacks(table.get(), COLUMNS);
    }
    var outputs = names.stream().<Output>map(Output.Column::new).toList();
    var texts = new TreeMap<String, String>();
    BlockingExecution.run(
        statements.prepare(Select.of(table.get().name(), outputs)),
        Arguments.NONE,
        row -> texts.put("evita_http_handler/" + row.textAt(0), String.valueOf(row.textAt(1))));
    return texts;
  }
}
