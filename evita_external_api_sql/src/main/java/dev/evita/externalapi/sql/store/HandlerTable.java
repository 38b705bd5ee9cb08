// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.store;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.Script;
import dev.evita.api.Select;
import dev.evita.externalapi.core.transaction.SystemTable;
import dev.evita.externalapi.core.work.Statements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

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
      var unused = run(statements.prepare(Script.of(SystemTable.HTTP_HANDLERS.script())));
      return Map.of();
    }
    var names = SystemTable.columns(table.get(), COLUMNS);
    if (names.isEmpty()) {
      throw SystemTable.lacks(table.get(), COLUMNS);
    }
    var outputs = names.stream().<Output>map(Output.Column::new).toList();
    var texts = new TreeMap<String, String>();
    run(statements.prepare(Select.of(table.get().name(), outputs)))
        .forEach(row -> texts.put("evita_http_handler/" + row.getFirst(), row.getLast()));
    return texts;
  }

  private static List<List<String>> run(Prepared prepared) {
    var rows = new Rows();
    prepared.run(Arguments.NONE, null, rows);
    try {
      return rows.result.join();
    } catch (CompletionException e) {
      throw EvitaException.from(e);
    }
  }

  private static final class Rows implements RowSink {
    private final CompletableFuture<List<List<String>>> result = new CompletableFuture<>();
    private final List<List<String>> rows = new ArrayList<>();

    @Override
    public Demand row(Row row) {
      rows.add(List.of(String.valueOf(row.textAt(0)), String.valueOf(row.textAt(1))));
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {
      result.complete(rows);
    }

    @Override
    public void failed(EvitaException failure) {
      result.completeExceptionally(failure);
    }
  }
}
