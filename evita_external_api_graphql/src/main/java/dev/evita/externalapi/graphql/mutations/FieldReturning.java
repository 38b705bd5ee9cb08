// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.externalapi.core.insert.InsertReturning;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.graphql.model.TableModel;
import dev.evita.externalapi.graphql.plan.OperationBuilder;
import dev.evita.externalapi.graphql.plan.OperationTemplate;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The representation that a field requires of the rows that it inserts. */
final class FieldReturning implements InsertReturning {

  private final OperationBuilder operation;
  private final TableModel table;
  private final List<OperationTemplate.Slot> slots;
  private final ReturnedRows rows;
  private @Nullable Selection selection;

  /**
   * @param operation has the values of variables; not shared
   * @param slots the returned values of each row
   * @param rows receives them
   */
  FieldReturning(
      OperationBuilder operation,
      TableModel table,
      List<OperationTemplate.Slot> slots,
      ReturnedRows rows) {
    this.operation = operation;
    this.table = table;
    this.slots = slots;
    this.rows = rows;
  }

  @Override
  public Selection selection() {
    var known = selection;
    if (known == null) {
      var outputs = operation.outputs(table, slots);
      known = new Selection(outputs, Arrays.asList(operation.arguments()));
      selection = known;
    }
    return known;
  }

  @Override
  public Runnable render(Row row, Quota held) {
    var rendered = rows.render(row, held);
    return () -> rows.add(rendered);
  }

  @Override
  public EvitaException withoutKey() {
    return new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION,
        "Related rows of inserted '"
            + table.typeName()
            + "' cannot be returned together with nested inserts, as the table has no key;"
            + " select only columns");
  }
}
