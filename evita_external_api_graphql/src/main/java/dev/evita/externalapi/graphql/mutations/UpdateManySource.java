// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.model.MutationTable;
import dev.evita.externalapi.graphql.plan.MutationSource;
import dev.evita.externalapi.graphql.plan.MutationWork;
import dev.evita.externalapi.graphql.plan.OperationBuilder;
import dev.evita.externalapi.graphql.plan.OperationTemplate;
import dev.evita.externalapi.graphql.plan.RowSource;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import dev.evita.externalapi.graphql.schema.MutationSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code update_x_many}: the number of updates, and their shapes, are determined by each request.
 */
final class UpdateManySource implements MutationSource {

  private final GraphQlSchema api;
  private final MutationTable table;
  private final @Nullable Object updates;
  private final MutationShape shape;
  private final List<OperationTemplate.Slot> slots;

  /**
   * @param updates the argument, as converted by {@link Inputs}
   */
  UpdateManySource(
      GraphQlSchema api,
      MutationTable table,
      @Nullable Object updates,
      MutationShape shape,
      List<OperationTemplate.Slot> slots) {
    this.api = api;
    this.table = table;
    this.updates = updates;
    this.shape = shape;
    this.slots = List.copyOf(slots);
  }

  @Override
  public MutationWork bind(Object[] values) {
    var resolver = new OperationBuilder(values, api.depthLimit());
    var works = new ArrayList<MutationWork>();
    if (resolver.resolve(updates) instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        var where = ValuePath.of("updates").element(i);
        if (!(resolver.resolve(list.get(i)) instanceof Map<?, ?> update)) {
          throw Inputs.invalid(where, "null is not valid here; leave it out");
        }
        var bound = RowSource.bindOnce(template(update, where), values, api);
        works.add(new ChangeWork(bound, shape));
      }
    }
    return new UpdateManyWork(works);
  }

  private OperationTemplate template(Map<?, ?> update, ValuePath trail) {
    var rows =
        new OperationTemplate.RowChoice.ByFilter(
            update.get(MutationSchema.WHERE), trail.member(MutationSchema.WHERE));
    return new OperationTemplate.OfUpdate(
        table.table(),
        rows,
        update.get(MutationSchema.SET),
        update.get(MutationSchema.INC),
        slots,
        trail);
  }
}
