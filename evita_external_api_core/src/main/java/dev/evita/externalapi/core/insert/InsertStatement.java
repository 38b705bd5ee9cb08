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
 * One insert of rows that set the same columns. Rows of which values are needed afterwards have a
 * statement each, as returned rows have no guaranteed order.
 */
final class InsertStatement implements TransactionExecution.Statement {

  private final Form form;
  private final List<InsertObject> objects;
  private final boolean ofRoot;
  private final @Nullable InsertReturning returning;
  private long affected;

  /**
   * The prepared form that statements of the same columns share.
   *
   * @param arguments with null in place of the rows
   * @param rows the index of the rows among the arguments
   * @param firstKeySlot the first slot of the needed columns; negative if none
   */
  record Form(
      Prepared prepared,
      List<String> columns,
      @Nullable Object[] arguments,
      Parameter rows,
      int firstKeySlot) {}

  /**
   * @param ofRoot whether these are the outermost rows
   * @param returning receives the rows; null if this statement returns none
   */
  InsertStatement(
      Form form, List<InsertObject> objects, boolean ofRoot, @Nullable InsertReturning returning) {
    this.form = form;
    this.objects = objects;
    this.ofRoot = ofRoot;
    this.returning = returning;
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
    if (returning != null) {
      returning.render(row, held).run();
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
