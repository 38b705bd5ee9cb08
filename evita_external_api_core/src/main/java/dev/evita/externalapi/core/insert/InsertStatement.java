// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.api.Arguments;
import dev.evita.api.InsertRows;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One insert of rows that give the same columns. Those of whom something must be known afterwards
 * have a statement each, as returned rows come in no promised order.
 */
final class InsertStatement implements TransactionExecution.Statement {

  private final Form form;
  private final List<InsertObject> objects;
  private final boolean ofRoot;
  private final @Nullable InsertReturning answer;
  private long affected;

  /**
   * What statements of the same columns share.
   *
   * @param arguments with null in place of the rows
   * @param rows where these stand among the arguments
   * @param firstKeySlot where the columns begin that are needed of the row; below 0 for none
   */
  record Form(
      Prepared prepared,
      List<String> columns,
      @Nullable Object[] arguments,
      Parameter rows,
      int firstKeySlot) {}

  /**
   * @param ofRoot whether these are the rows that nothing is nested around
   * @param answer takes the rows; null where they are not answered from here
   */
  InsertStatement(
      Form form, List<InsertObject> objects, boolean ofRoot, @Nullable InsertReturning answer) {
    this.form = form;
    this.objects = objects;
    this.ofRoot = ofRoot;
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
    arguments[form.rows().index()] = new InsertRows(rows);
    return Arguments.of(arguments);
  }

  @Override
  public void row(Row row, Quota held) {
    if (answer != null) {
      answer.render(row, held).run();
    }
    if (form.firstKeySlot() >= 0) {
      objects.getFirst().take(row, form.firstKeySlot());
    }
  }

  @Override
  public void completed(long changed) {
    affected = changed;
  }

  double cost(int estimatedRows) {
    var ofRow = Cost.of(form.prepared().operation(), true, estimatedRows);
    return objects.size() * ofRow.with(Arguments.of(form.arguments()));
  }

  boolean isOfRoot() {
    return ofRoot;
  }

  long affected() {
    return affected;
  }
}
