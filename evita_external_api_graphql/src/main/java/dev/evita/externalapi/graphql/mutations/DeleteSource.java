// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.graphql.input.RowArguments;
import dev.evita.externalapi.graphql.model.MutationTable;
import dev.evita.externalapi.graphql.model.TableModel;
import dev.evita.externalapi.graphql.plan.MutationSource;
import dev.evita.externalapi.graphql.plan.MutationWork;
import dev.evita.externalapi.graphql.plan.OperationTemplate;
import dev.evita.externalapi.graphql.plan.RowSource;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deletes whose response contains related rows, which must be read before by a select with the same
 * filter.
 */
final class DeleteSource implements MutationSource {

  private final RowSource select;
  private final RowSource delete;
  private final int firstKeySlot;
  private final int keySize;
  private final MutationShape shape;

  private DeleteSource(
      RowSource select, RowSource delete, int firstKeySlot, int keySize, MutationShape shape) {
    this.select = select;
    this.delete = delete;
    this.firstKeySlot = firstKeySlot;
    this.keySize = keySize;
    this.shape = shape;
  }

  /**
   * Returns the delete of these rows.
   *
   * @param slots the returned values of each
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} if related rows are selected and rows have
   *     no key
   */
  static MutationSource of(
      GraphQlSchema api,
      MutationTable table,
      OperationTemplate.RowChoice rows,
      MutationShape shape,
      List<OperationTemplate.Slot> slots) {
    var columns = columns(slots);
    if (columns != null) {
      var source = source(api, new OperationTemplate.OfDelete(table.table(), rows, columns));
      return values -> new ChangeWork(source.bind(values), shape);
    }
    var key = requireIdentity(table);
    var all = new ArrayList<>(slots);
    key.forEach(column -> all.add(new OperationTemplate.Slot.OfColumn(column)));
    return new DeleteSource(
        source(api, select(table.table(), rows, all)),
        source(api, new OperationTemplate.OfDelete(table.table(), rows, key)),
        slots.size(),
        key.size(),
        shape);
  }

  /** Returns the columns of these slots; null if some hold more than a column. */
  private static @Nullable List<String> columns(List<OperationTemplate.Slot> slots) {
    var columns = new ArrayList<String>(slots.size());
    for (var slot : slots) {
      if (!(slot instanceof OperationTemplate.Slot.OfColumn(var column))) {
        return null;
      }
      columns.add(column);
    }
    return columns;
  }

  private static List<String> requireIdentity(MutationTable table) {
    var key = table.identity();
    if (key == null) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "Related rows of deleted '"
              + table.table().typeName()
              + "' cannot be returned, as the table has no key; select only columns");
    }
    return key;
  }

  private static OperationTemplate select(
      TableModel table, OperationTemplate.RowChoice rows, List<OperationTemplate.Slot> slots) {
    return switch (rows) {
      case OperationTemplate.RowChoice.ByFilter(var where, var trail) ->
          new OperationTemplate.OfSelect(table, slots, RowArguments.byFilter(where), Map.of());
      case OperationTemplate.RowChoice.ByKey(var key) -> {
        var columns = new LinkedHashMap<String, Object>();
        ((Map<?, ?>) key)
            .forEach((name, value) -> columns.put(table.column(String.valueOf(name)), value));
        yield new OperationTemplate.OfSelect(table, slots, RowArguments.NONE, columns);
      }
    };
  }

  private static RowSource source(GraphQlSchema api, OperationTemplate template) {
    return new RowSource(template, api);
  }

  @Override
  public MutationWork bind(Object[] values) {
    // The delete is compiled first: it rejects filters that a select would accept.
    var deleting = delete.bind(values);
    return new DeleteWork(select.bind(values), deleting, firstKeySlot, keySize, shape);
  }
}
