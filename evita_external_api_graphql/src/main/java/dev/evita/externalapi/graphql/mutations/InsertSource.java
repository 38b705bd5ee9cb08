// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.externalapi.core.insert.InsertPlanner;
import dev.evita.externalapi.graphql.model.MutationTable;
import dev.evita.externalapi.graphql.plan.MutationSource;
import dev.evita.externalapi.graphql.plan.MutationWork;
import dev.evita.externalapi.graphql.plan.OperationBuilder;
import dev.evita.externalapi.graphql.plan.OperationTemplate;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code insert_x} and {@code insert_x_one}: the rows and their tables are determined by each
 * request.
 */
final class InsertSource implements MutationSource {

  private final GraphQlSchema api;
  private final MutationTable table;
  private final @Nullable Object objects;
  private final @Nullable Object onConflict;
  private final MutationShape shape;
  private final List<OperationTemplate.Slot> slots;

  /**
   * Creates an insert with arguments as converted by {@code Inputs}.
   *
   * @param slots the returned values of each row
   */
  InsertSource(
      GraphQlSchema api,
      MutationTable table,
      @Nullable Object objects,
      @Nullable Object onConflict,
      MutationShape shape,
      List<OperationTemplate.Slot> slots) {
    this.api = api;
    this.table = table;
    this.objects = objects;
    this.onConflict = onConflict;
    this.shape = shape;
    this.slots = List.copyOf(slots);
  }

  @Override
  public MutationWork bind(Object[] values) {
    var reader = new InsertReader(new OperationBuilder(values, api.depthLimit()));
    var root = reader.read(table, objects, onConflict);
    var rows = new ReturnedRows(shape.shapes());
    var asking = new OperationBuilder(values, api.depthLimit());
    var returning =
        shape.shapes().isEmpty() ? null : new FieldReturning(asking, table.table(), slots, rows);
    var insert = new InsertPlanner(api.statements(), returning).plan(root);
    return new InsertWork(insert, api.estimatedRows(), shape, rows);
  }
}
