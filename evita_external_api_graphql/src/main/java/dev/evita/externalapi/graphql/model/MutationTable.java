// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Key;
import dev.evita.api.Table;
import dev.evita.externalapi.core.insert.InsertLink;
import dev.evita.externalapi.core.insert.InsertPlanner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A writable table with its inputs for mutations. Unchanged once the model is built. */
public final class MutationTable {

  private static final Set<DataType.Scalar> NUMBERS =
      Set.of(
          DataType.Scalar.INT16,
          DataType.Scalar.INT32,
          DataType.Scalar.INT64,
          DataType.Scalar.DECIMAL,
          DataType.Scalar.FLOAT32,
          DataType.Scalar.FLOAT64);

  private final TableModel table;
  private final TypeNames names;
  private final Set<Capability> capabilities;
  private final Map<String, Column> writable = new LinkedHashMap<>();
  private final Map<String, Key> constraints = new LinkedHashMap<>();
  private final Map<String, Link> links = new LinkedHashMap<>();

  /** The types of its mutations, by Hasura's names. */
  public record TypeNames(
      String response,
      String insertInput,
      String objectInsertInput,
      String arrayInsertInput,
      String onConflict,
      String constraint,
      String updateColumn,
      String setInput,
      String incInput,
      String keyInput,
      String updates) {

    static TypeNames claim(GraphQlNames types, String base) {
      return new TypeNames(
          types.claim(base + "_mutation_response"),
          types.claim(base + "_insert_input"),
          types.claim(base + "_obj_rel_insert_input"),
          types.claim(base + "_arr_rel_insert_input"),
          types.claim(base + "_on_conflict"),
          types.claim(base + "_constraint"),
          types.claim(base + "_update_column"),
          types.claim(base + "_set_input"),
          types.claim(base + "_inc_input"),
          types.claim(base + "_pk_columns_input"),
          types.claim(base + "_updates"));
    }
  }

  /** A relationship through which rows are inserted together, and the table that it leads to. */
  public record Link(InsertLink link, MutationTable target) {

    /** Whether at most one row can be given. */
    public boolean single() {
      return link.single();
    }
  }

  MutationTable(Catalog catalog, TableModel table, TypeNames names, Set<Capability> capabilities) {
    this.table = table;
    this.names = names;
    this.capabilities = capabilities;
    for (var field : table.columns()) {
      if (field.column().writable()) {
        writable.put(field.name(), field.column());
      }
    }
    var keyNames = GraphQlNames.without(List.of("true", "false", "null"));
    for (var key : capabilities.contains(Capability.UPSERT) ? keys() : List.<Key>of()) {
      constraints.put(keyNames.claim(catalog.apiName(key)), key);
    }
  }

  private List<Key> keys() {
    var keys = new ArrayList<Key>();
    var primary = table.table().primaryKey();
    if (primary != null) {
      keys.add(primary);
    }
    keys.addAll(table.table().uniqueKeys());
    return keys;
  }

  /** Whether rows can be inserted, updated or deleted at all. */
  static boolean writable(TableModel table) {
    return table.table().kind() == Table.Kind.TABLE;
  }

  /** Completes the table; to be called once all tables are created. */
  void connect(Map<TableModel, MutationTable> tables) {
    if (!capabilities.contains(Capability.RETURNING)) {
      return; // a row that refers to another needs the key that this one was given
    }
    for (var field : table.fields()) {
      if (field instanceof FieldModel.OfRelationship relationship) {
        var target = tables.get(relationship.target());
        if (target != null && target.insertable()) {
          connect(relationship, target);
        }
      }
    }
  }

  private void connect(FieldModel.OfRelationship field, MutationTable target) {
    var link = InsertLink.of(table.table(), field.relationship(), target.table.table());
    if (link != null) {
      links.put(field.name(), new Link(link, target));
    }
  }

  public TableModel table() {
    return table;
  }

  public TypeNames names() {
    return names;
  }

  /** The columns that writers may set, by their fields' names. */
  public Map<String, Column> writable() {
    return writable;
  }

  /** The columns among them that can be incremented. */
  public Map<String, Column> numbers() {
    var numbers = new LinkedHashMap<>(writable);
    var increments = capabilities.contains(Capability.INCREMENT);
    numbers.values().removeIf(column -> !increments || !isNumber(column.type()));
    return numbers;
  }

  private static boolean isNumber(DataType type) {
    return type instanceof DataType.Scalar scalar && NUMBERS.contains(scalar);
  }

  /** Whether there is an input for a row: GraphQL has no input object without fields. */
  public boolean insertable() {
    return !writable.isEmpty() && capabilities.contains(Capability.INSERT);
  }

  /** Whether there is a column to update. */
  public boolean updatable() {
    return !writable.isEmpty() && capabilities.contains(Capability.UPDATE);
  }

  /** Whether the written rows can be returned. */
  public boolean returning() {
    return capabilities.contains(Capability.RETURNING);
  }

  /**
   * Primary and unique keys, by the names of {@code x_constraint}; none if the engine has no
   * upserts.
   */
  public Map<String, Key> constraints() {
    return constraints;
  }

  /** The relationships through which rows are inserted together, by their fields' names. */
  public Map<String, Link> links() {
    return links;
  }

  /** The primary key's columns by their fields' names; empty where there is none. */
  public Map<String, Column> key() {
    var key = table.table().primaryKey();
    var columns = new LinkedHashMap<String, Column>();
    if (key != null) {
      for (var name : key.columns()) {
        var field = table.fieldOf(name);
        columns.put(field.name(), field.column());
      }
    }
    return columns;
  }

  /**
   * The columns that identify a row: the primary key, else a unique key without nulls; null if
   * there is none.
   */
  public @Nullable List<String> identity() {
    return InsertPlanner.identity(table.table());
  }

  /** Returns the column that a field represents. */
  public Column column(String field) {
    return Objects.requireNonNull(writable.get(field), field);
  }
}
