// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.Relationship;
import dev.evita.api.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table with the names of all elements generated for it. Unchanged once the model is built. */
public final class TableModel {

  private final Table table;
  private final String typeName;
  private final TypeNames names;
  private final Map<String, FieldModel> fields = new LinkedHashMap<>();

  /** The types around a table's object type. */
  public record TypeNames(
      String boolExp,
      String orderBy,
      String selectColumn,
      String aggregate,
      String aggregateFields,
      String sumFields,
      String avgFields,
      String minFields,
      String maxFields,
      String aggregateOrderBy,
      String sumOrderBy,
      String avgOrderBy,
      String minOrderBy,
      String maxOrderBy,
      String aggregateBoolExp,
      String countBoolExp,
      String group,
      String groupKey,
      String groupOrderBy,
      String groupKeyOrderBy,
      String connection,
      String edge) {

    static TypeNames claim(GraphQlNames types, String base) {
      return new TypeNames(
          types.claim(base + "_bool_exp"),
          types.claim(base + "_order_by"),
          types.claim(base + "_select_column"),
          types.claim(base + "_aggregate"),
          types.claim(base + "_aggregate_fields"),
          types.claim(base + "_sum_fields"),
          types.claim(base + "_avg_fields"),
          types.claim(base + "_min_fields"),
          types.claim(base + "_max_fields"),
          types.claim(base + "_aggregate_order_by"),
          types.claim(base + "_sum_order_by"),
          types.claim(base + "_avg_order_by"),
          types.claim(base + "_min_order_by"),
          types.claim(base + "_max_order_by"),
          types.claim(base + "_aggregate_bool_exp"),
          types.claim(base + "_aggregate_bool_exp_count"),
          types.claim(base + "_group"),
          types.claim(base + "_group_key"),
          types.claim(base + "_group_order_by"),
          types.claim(base + "_group_key_order_by"),
          types.claim(base + "Connection"),
          types.claim(base + "Edge"));
    }
  }

  TableModel(Table table, String typeName, TypeNames names) {
    this.table = table;
    this.typeName = typeName;
    this.names = names;
  }

  void add(FieldModel field) {
    fields.put(field.name(), field);
  }

  public Table table() {
    return table;
  }

  /** The object type of its rows. */
  public String typeName() {
    return typeName;
  }

  public TypeNames names() {
    return names;
  }

  /** Columns first, then relationships. */
  public Iterable<FieldModel> fields() {
    return fields.values();
  }

  public @Nullable FieldModel field(String name) {
    return fields.get(name);
  }

  public List<FieldModel.OfColumn> columns() {
    return fields.values().stream()
        .filter(FieldModel.OfColumn.class::isInstance)
        .map(FieldModel.OfColumn.class::cast)
        .toList();
  }

  /** Returns the exact name of the column that a field represents. */
  public String column(String fieldName) {
    if (fields.get(fieldName) instanceof FieldModel.OfColumn(var name, var column)) {
      return column.name();
    }
    throw new IllegalArgumentException(typeName + " has no column " + fieldName);
  }

  /** Returns the table to which a relationship of this one leads. */
  public TableModel reached(Relationship relationship) {
    for (var field : fields.values()) {
      if (field instanceof FieldModel.OfRelationship(var name, var step, var target)
          && step.equals(relationship)) {
        return target;
      }
    }
    throw new IllegalArgumentException(typeName + " has no relationship " + relationship.name());
  }

  /** Returns the field of the column of exactly this name. */
  public FieldModel.OfColumn fieldOf(String column) {
    for (var field : columns()) {
      if (field.column().name().equals(column)) {
        return field;
      }
    }
    throw new IllegalArgumentException(typeName + " has no column " + column);
  }
}
