// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Key;
import dev.evita.api.Routine;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The model of the schema of one catalog epoch, with all names assigned.
 *
 * <p>Names are assigned in this order, so that objects named by users keep their names: types of
 * GraphQL and Hasura's dialect, tables, routines, then names derived from tables.
 */
public final class ApiModel {

  public static final String PAGE_INFO = "PageInfo";
  public static final String QUERY_ROOT = "query_root";
  public static final String SUBSCRIPTION_ROOT = "subscription_root";
  public static final String ORDER_BY = "order_by";

  /**
   * Names that columns cannot have: operators in filters, and names that enum values must not have.
   */
  private static final List<String> RESERVED_FIELDS =
      List.of("_and", "_or", "_not", "true", "false", "null");

  private final TypeModel types;
  private final Set<Capability> capabilities;
  private final List<TableModel> tables = new ArrayList<>();
  private final Map<String, RootModel> roots = new LinkedHashMap<>();
  private @Nullable MutationModel mutations;
  private final Map<String, StreamModel> streams = new LinkedHashMap<>();

  private ApiModel(TypeModel types, Set<Capability> capabilities) {
    this.types = types;
    this.capabilities = Set.copyOf(capabilities);
  }

  public static ApiModel of(Catalog catalog, Set<Capability> capabilities) {
    return new Builder(catalog, capabilities).build();
  }

  public TypeModel types() {
    return types;
  }

  /** The optional capabilities of the engine. */
  public Set<Capability> capabilities() {
    return capabilities;
  }

  /** Whether the engine has all of these capabilities. */
  public boolean has(Capability... all) {
    return capabilities.containsAll(List.of(all));
  }

  /** Whether aggregates of related rows are offered with the rows. */
  public boolean offersNestedAggregates() {
    return has(Capability.AGGREGATES, Capability.NESTED_TO_MANY, Capability.NESTED_AGGREGATES);
  }

  /** Whether groups of related rows are offered. */
  public boolean offersNestedGroups() {
    return offersNestedAggregates() && has(Capability.GROUP_BY);
  }

  public List<TableModel> tables() {
    return tables;
  }

  public Iterable<RootModel> roots() {
    return roots.values();
  }

  public @Nullable RootModel root(String name) {
    return roots.get(name);
  }

  public MutationModel mutations() {
    return Objects.requireNonNull(mutations, "not built yet");
  }

  /**
   * The fields that support subscriptions: those of tables, as the tables that a routine reads are
   * unknown.
   */
  public List<RootModel> liveRoots() {
    return roots.values().stream().filter(root -> !(root instanceof RootModel.Call)).toList();
  }

  /** The fields of {@code subscription_root} that stream. */
  public Iterable<StreamModel> streams() {
    return streams.values();
  }

  public @Nullable StreamModel stream(String name) {
    return streams.get(name);
  }

  private static final class Builder {
    private final Catalog catalog;
    private final GraphQlNames typeNames =
        GraphQlNames.without(
            List.of(
                "ID",
                PAGE_INFO,
                ORDER_BY,
                QUERY_ROOT,
                MutationModel.MUTATION_ROOT,
                SUBSCRIPTION_ROOT,
                StreamModel.CURSOR_ORDERING));
    private final GraphQlNames rootNames = GraphQlNames.without(List.of("no_queries_available"));
    private final GraphQlNames mutationNames = new GraphQlNames();
    private final ApiModel model;
    private final Map<TableName, String> listFields = new LinkedHashMap<>();
    private final Map<TableName, TableModel> byName = new LinkedHashMap<>();

    Builder(Catalog catalog, Set<Capability> capabilities) {
      this.catalog = catalog;
      this.model = new ApiModel(TypeModel.claim(typeNames), capabilities);
    }

    ApiModel build() {
      var objectNames = new LinkedHashMap<TableName, String>();
      for (var table : catalog.tables()) {
        objectNames.put(table.name(), typeNames.claim(catalog.apiName(table.name())));
        listFields.put(table.name(), rootNames.claim(catalog.apiName(table.name())));
      }
      var calls = new ArrayList<RootModel.Call>();
      var writingCalls = new ArrayList<RootModel.Call>();
      for (var routine : catalog.routines()) {
        if (routine.readOnly()) {
          calls.add(call(rootNames, routine));
        } else if (model.has(Capability.ROUTINES, Capability.TRANSACTIONS)) {
          writingCalls.add(call(mutationNames, routine));
        }
      }
      for (var table : catalog.tables()) {
        var typeName = Objects.requireNonNull(objectNames.get(table.name()));
        var derived = TableModel.TypeNames.claim(typeNames, typeName);
        var tableModel = new TableModel(table, typeName, derived);
        model.tables.add(tableModel);
        byName.put(table.name(), tableModel);
      }
      // Comparisons of counts exist in every schema.
      model.types.compare(typeNames, DataType.Scalar.INT32);
      model.tables.forEach(this::addFields);
      model.tables.forEach(this::addRoots);
      calls.forEach(call -> model.roots.put(call.name(), call));
      model.mutations = mutations(writingCalls);
      model.streams.putAll(StreamModel.of(model.tables, listFields, typeNames, rootNames));
      return model;
    }

    private MutationModel mutations(List<RootModel.Call> calls) {
      var bases = new LinkedHashMap<TableModel, String>();
      byName.forEach(
          (name, table) -> bases.put(table, Objects.requireNonNull(listFields.get(name))));
      return MutationModel.of(
          catalog, typeNames, mutationNames, calls, bases, model.capabilities());
    }

    private RootModel.Call call(GraphQlNames fieldNames, Routine routine) {
      var name = fieldNames.claim(catalog.apiName(routine));
      return new RootModel.Call(
          name,
          routine,
          named(routine, routine.parameters()),
          typeNames.claim(name + "_result"),
          named(routine, routine.result()));
    }

    private Map<String, Column> named(Routine routine, List<Column> columns) {
      var names = new GraphQlNames();
      var named = new LinkedHashMap<String, Column>();
      for (var column : columns) {
        model.types.see(typeNames, column.type());
        named.put(names.claim(catalog.apiName(routine, column.name())), column);
      }
      return named;
    }

    private void addFields(TableModel table) {
      var names = GraphQlNames.without(RESERVED_FIELDS);
      var tableName = table.table().name();
      for (var column : table.table().columns()) {
        model.types.see(typeNames, column.type());
        model.types.compare(typeNames, column.type());
        var name = names.claim(catalog.apiName(tableName, column.name()));
        table.add(new FieldModel.OfColumn(name, column));
      }
      var relationships = new ArrayList<FieldModel.OfRelationship>();
      for (var relationship : catalog.relationships(tableName)) {
        var target = byName.get(relationship.to());
        if (target != null) {
          var name = names.claim(relationship.name());
          relationships.add(new FieldModel.OfRelationship(name, relationship, target));
        }
      }
      relationships.forEach(table::add);
      for (var field : relationships) {
        if (!field.relationship().single() && offersAggregates()) {
          var name = names.claim(field.name() + "_aggregate");
          table.add(new FieldModel.OfAggregate(name, field.relationship(), field.target()));
        }
      }
      for (var field : relationships) {
        if (!field.relationship().single() && model.offersNestedGroups()) {
          var name = names.claim(field.name() + "_group_by");
          table.add(new FieldModel.OfGroups(name, field.relationship(), field.target()));
        }
      }
    }

    private boolean offersAggregates() {
      return model.offersNestedAggregates() || model.has(Capability.RELATED_AGGREGATES);
    }

    private void addRoots(TableModel table) {
      var name = Objects.requireNonNull(listFields.get(table.table().name()));
      model.roots.put(name, new RootModel.Rows(name, table));
      var key = table.table().primaryKey();
      if (key != null) {
        var keys = new LinkedHashMap<String, Column>();
        for (var column : key.columns()) {
          var field = table.fieldOf(column);
          keys.put(field.name(), field.column());
        }
        var byKey = rootNames.claim(name + "_by_pk");
        model.roots.put(byKey, new RootModel.ByKey(byKey, table, keys));
      }
      if (model.has(Capability.AGGREGATES)) {
        var aggregate = rootNames.claim(name + "_aggregate");
        model.roots.put(aggregate, new RootModel.Aggregate(aggregate, table));
      }
      if (model.has(Capability.AGGREGATES, Capability.GROUP_BY)) {
        var groups = rootNames.claim(name + "_group_by");
        model.roots.put(groups, new RootModel.Groups(groups, table));
      }
      var unique = uniqueColumns(table.table());
      if (!unique.isEmpty() && model.has(Capability.KEYSET)) {
        var connection = rootNames.claim(name + "_connection");
        model.roots.put(connection, new RootModel.Connection(connection, table, unique));
      }
    }

    /** Returns the columns that define a total order of a table's rows; empty if there are none. */
    private static List<String> uniqueColumns(Table table) {
      var keys = new ArrayList<Key>();
      var primary = table.primaryKey();
      if (primary != null) {
        keys.add(primary);
      }
      for (var key : table.uniqueKeys()) {
        // A unique key does not distinguish nulls.
        if (key.columns().stream()
            .allMatch(name -> table.column(name).filter(c -> !c.nullable()).isPresent())) {
          keys.add(key);
        }
      }
      for (var key : keys) {
        if (key.columns().stream()
            .allMatch(name ->
                table.column(name).filter(c -> Comparisons.sortable(c.type())).isPresent())) {
          return key.columns();
        }
      }
      return List.of();
    }
  }
}
