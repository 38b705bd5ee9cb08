// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.ForeignKey;
import dev.evita.api.Key;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table that an {@link EngineFixture} creates. Immutable.
 *
 * @param schema null for the engine's default schema
 * @param name the exact name, of any characters
 * @param columns at least one, in order
 * @param primaryKey the columns of the primary key; at least one, none of them nullable
 * @param foreignKeys empty without {@link EngineBehavior#FOREIGN_KEYS}
 * @param comment null if there is none, and without {@link EngineBehavior#COMMENTS}
 */
public record TableDefinition(
    @Nullable String schema,
    String name,
    List<ColumnDefinition> columns,
    List<String> primaryKey,
    List<Reference> foreignKeys,
    @Nullable String comment) {

  /**
   * A foreign key.
   *
   * @param columns the columns of the table
   * @param table the table of the default schema that they refer to
   * @param targetColumns the columns of its primary key, in the order of {@code columns}
   */
  public record Reference(List<String> columns, String table, List<String> targetColumns) {
    public Reference {
      columns = List.copyOf(columns);
      targetColumns = List.copyOf(targetColumns);
    }
  }

  public TableDefinition {
    columns = List.copyOf(columns);
    primaryKey = List.copyOf(primaryKey);
    foreignKeys = List.copyOf(foreignKeys);
  }

  /** The table as it should be in the catalog. */
  public Table toTable(String defaultSchema) {
    return new Table(
        new TableName(schema == null ? defaultSchema : schema, name),
        Table.Kind.TABLE,
        columns.stream().map(ColumnDefinition::toColumn).toList(),
        new Key(name + "_pk", primaryKey),
        columns.stream()
            .filter(ColumnDefinition::unique)
            .map(column -> new Key(name + "_" + column.name(), List.of(column.name())))
            .toList(),
        List.of(),
        foreignKeys.stream()
            .map(key ->
                new ForeignKey(
                    name + "_" + String.join("_", key.columns()),
                    key.columns(),
                    new TableName(defaultSchema, key.table()),
                    key.targetColumns()))
            .toList(),
        comment);
  }
}
