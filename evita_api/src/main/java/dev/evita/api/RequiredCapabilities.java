// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the capabilities that an operation requires. */
final class RequiredCapabilities {

  private final Catalog catalog;
  private final Set<Capability> required = EnumSet.noneOf(Capability.class);

  private RequiredCapabilities(Catalog catalog) {
    this.catalog = catalog;
  }

  static Set<Capability> of(Operation operation, Catalog catalog) {
    var collector = new RequiredCapabilities(catalog);
    switch (operation) {
      case Select select -> collector.select(select, false);
      case Insert insert -> collector.insert(insert);
      case Update update -> collector.update(update);
      case Delete delete -> {
        collector.required.add(Capability.DELETE);
        collector.filter(delete.where(), delete.table());
        collector.returning(delete.returning(), delete.table());
      }
      case Call call -> {
        collector.required.add(Capability.ROUTINES);
        collector.select(call.rows(), false);
      }
      case NativeQuery query -> collector.required.add(Capability.NATIVE_QUERIES);
      case Script script -> {
        collector.required.add(Capability.SCRIPTS);
        collector.addIf(!script.parameters().isEmpty(), Capability.SCRIPT_PARAMETERS);
      }
    }
    return collector.required;
  }

  private void addIf(boolean condition, Capability capability) {
    if (condition) {
      required.add(capability);
    }
  }

  private void select(Select select, boolean nested) {
    addIf(!select.distinctOn().isEmpty(), Capability.DISTINCT_ON);
    addIf(!select.groupBy().isEmpty(), Capability.GROUP_BY);
    addIf(!select.after().isEmpty() || !select.before().isEmpty(), Capability.KEYSET);
    addIf(select.offset() != null, Capability.OFFSET);
    addIf(nested && (select.limit() != null || select.offset() != null), Capability.NESTED_LIMIT);
    for (var output : select.outputs()) {
      output(output, select.from());
      addIf(nested && output instanceof Output.Aggregate, Capability.NESTED_AGGREGATES);
    }
    filter(select.where(), select.from());
    select.orderBy().forEach(this::order);
  }

  private void insert(Insert insert) {
    required.add(Capability.INSERT);
    addIf(insert.onConflict() != null, Capability.UPSERT);
    returning(insert.returning(), insert.into());
  }

  private void update(Update update) {
    required.add(Capability.UPDATE);
    addIf(
        update.changes().stream().anyMatch(Update.Change.Increment.class::isInstance),
        Capability.INCREMENT);
    filter(update.where(), update.table());
    returning(update.returning(), update.table());
  }

  private void returning(List<Output> outputs, TableName table) {
    addIf(!outputs.isEmpty(), Capability.RETURNING);
    outputs.forEach(output -> output(output, table));
  }

  private void output(Output output, TableName table) {
    switch (output) {
      case Output.Column column -> {}
      case Output.Path path -> required.add(Capability.JSON_PATHS);
      case Output.Cast cast -> {
        required.add(Capability.CASTS);
        output(cast.value(), table);
      }
      case Output.Aggregate aggregate -> required.add(Capability.AGGREGATES);
      case Output.Related related -> {
        required.add(Capability.RELATED_VALUES);
        end(related.path(), related.value(), related.where());
      }
      case Output.Nested(var relationship, var select) -> {
        required.add(relationship.single() ? Capability.NESTED_TO_ONE : Capability.NESTED_TO_MANY);
        select(select, true);
      }
    }
  }

  private void order(Order order) {
    var aggregated = order.value() instanceof Output.Aggregate;
    if (!order.path().isEmpty()) {
      required.add(aggregated ? Capability.RELATED_AGGREGATES : Capability.ORDER_BY_RELATIONSHIP);
    } else {
      addIf(aggregated, Capability.AGGREGATES);
    }
    end(order.path(), order.value(), order.where());
  }

  /** A value at the end of a path, and the condition on the rows there. */
  private void end(List<Relationship> path, Output.Value value, @Nullable Filter where) {
    addIf(value instanceof Output.Path, Capability.JSON_PATHS);
    if (!path.isEmpty()) {
      filter(where, path.getLast().to());
    }
  }

  private void filter(@Nullable Filter filter, TableName table) {
    switch (filter) {
      case null -> {}
      case Filter.And(var filters) -> filters.forEach(each -> filter(each, table));
      case Filter.Or(var filters) -> filters.forEach(each -> filter(each, table));
      case Filter.Not(var negated) -> filter(negated, table);
      case Filter.Compare(var column, var comparison, var value) ->
          comparison(comparison, typeOf(table, column));
      case Filter.CompareColumns(var column, var comparison, var other) -> {
        required.add(Capability.COLUMN_COMPARISONS);
        comparison(comparison, typeOf(table, column));
      }
      case Filter.In in -> {}
      case Filter.IsNull isNull -> {}
      case Filter.AtPath(var path, var test) -> {
        required.add(Capability.JSON_PATHS);
        test(test, path.type());
      }
      case Filter.FullText fullText -> required.add(Capability.FULL_TEXT);
      case Filter.Exists(var relationship, var related) -> {
        required.add(Capability.FILTER_BY_RELATIONSHIP);
        filter(related, relationship.to());
      }
      case Filter.Aggregated(var relationship, var where, var aggregate, var test) -> {
        required.add(Capability.RELATED_AGGREGATES);
        filter(where, relationship.to());
        test(test, null);
      }
    }
  }

  private void test(Filter.Test test, @Nullable DataType type) {
    if (test instanceof Filter.Test.Compare(var comparison, var value)) {
      comparison(comparison, type);
    }
  }

  private @Nullable DataType typeOf(TableName table, String column) {
    return catalog.table(table).flatMap(each -> each.column(column)).map(Column::type).orElse(null);
  }

  private void comparison(Comparison comparison, @Nullable DataType type) {
    switch (comparison) {
      case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, NOT_DISTINCT -> {}
      case LIKE, ILIKE -> required.add(Capability.LIKE);
      case MATCHES, IMATCHES -> required.add(Capability.REGULAR_EXPRESSIONS);
      case CONTAINS, CONTAINED_IN, OVERLAPS -> {
        addIf(type instanceof DataType.Array, Capability.ARRAYS);
        addIf(
            type == DataType.Scalar.JSON && comparison != Comparison.OVERLAPS,
            Capability.JSON_CONTAINMENT);
      }
      // of ranges, which are engine-specific types
      case LEFT_OF, RIGHT_OF, NOT_RIGHT_OF, NOT_LEFT_OF, ADJACENT -> {}
    }
  }
}
