// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.InsertRows;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.Cost;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.TransactionRun;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One insert of rows that give the same columns. Those of whom something must be known afterwards
 * have a statement each, as returned rows come in no promised order.
 */
final class InsertStatement implements TransactionRun.Statement {

  private final Form form;
  private final List<InsertObject> objects;
  private final @Nullable ReturnedRows answer;
  private long affected;

  /**
   * What statements of the same columns share.
   *
   * @param arguments with null in place of the rows, which are the first
   * @param firstKeySlot where the columns begin that are needed of the row; below 0 for none
   * @param costOfRow as {@link Cost} estimates it
   */
  record Form(
      Prepared prepared,
      List<String> columns,
      @Nullable Object[] arguments,
      int firstKeySlot,
      double costOfRow) {}

  /**
   * @param answer takes the rows; null where they are not answered from here
   */
  InsertStatement(Form form, List<InsertObject> objects, @Nullable ReturnedRows answer) {
    this.form = form;
    this.objects = objects;
    this.answer = answer;
  }

  @Override
  public Prepared prepared() {
    return form.prepared();
  }

  @Override
  public Arguments arguments() {
    var rows = new ArrayList<@Nullable Object[]>(objects.size());
    for (var object : objects) {
      rows.add(form.columns().stream().map(object::value).toArray());
    }
    var arguments = form.arguments().clone();
    arguments[0] = new InsertRows(rows);
    return Arguments.of(arguments);
  }

  @Override
  public void row(Row row, Quota held) {
    if (answer != null) {
      answer.add(row, held);
    }
    if (form.firstKeySlot() >= 0) {
      objects.getFirst().take(row, form.firstKeySlot());
    }
  }

  @Override
  public void completed(long changed) {
    affected = changed;
  }

  double cost() {
    return form.costOfRow() * objects.size();
  }

  long affected() {
    return affected;
  }
}
