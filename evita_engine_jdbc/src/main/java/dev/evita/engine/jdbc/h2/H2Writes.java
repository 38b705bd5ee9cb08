// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.engine.jdbc.dialect.WriteStatements;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Renders statements that write rows, in H2. */
final class H2Writes extends WriteStatements {

  @Override
  public String returning(Write write, String statement, List<String> columns) {
    var table = write == Write.DELETE ? "old table" : "final table";
    return "select %s from %s (%s)".formatted(String.join(", ", columns), table, statement);
  }

  @Override
  public Upsert upsert(
      String table, List<String> columns, int rows, List<String> keys, List<String> update) {
    var order = new ArrayList<Integer>();
    var on = keys.stream().map(key -> key + " = ?").collect(Collectors.joining(" and "));
    keys.forEach(key -> order.add(columns.indexOf(key)));
    var matched =
        update.isEmpty()
            ? ""
            : " when matched then update set "
                + update.stream().map(name -> name + " = ?").collect(Collectors.joining(", "));
    update.forEach(name -> order.add(columns.indexOf(name)));
    for (int i = 0; i < columns.size(); i++) {
      order.add(i);
    }
    var text =
        "merge into %s using dual on (%s)%s when not matched then insert (%s) values (%s)"
            .formatted(
                table,
                on,
                matched,
                String.join(", ", columns),
                String.join(", ", columns.stream().map(column -> "?").toList()));
    return new Upsert(text, order);
  }

  @Override
  public int mostUpsertRows() {
    return 1;
  }

  /** {@code MERGE} looks the row up before it inserts, and other inserts may come in between. */
  @Override
  public boolean upsertLosesRaces() {
    return true;
  }
}
