// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.api.ForeignKey;
import dev.evita.api.Relationship;
import dev.evita.api.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A relationship through which rows are inserted together.
 *
 * @param target the related table
 * @param before whether the related row is inserted first, as this row refers to its key
 */
public record InsertLink(Relationship relationship, Table target, boolean before) {

  /**
   * The link of a relationship between these tables; null if rows cannot be inserted through it, as
   * the target is a view, or the columns of the foreign key are not writable.
   */
  public static @Nullable InsertLink of(Table from, Relationship relationship, Table target) {
    var before = from.foreignKeys().stream().anyMatch(key -> isOf(relationship, key));
    var linked =
        before
            ? canWrite(from, relationship.fromColumns())
            : canWrite(target, relationship.toColumns());
    return linked && target.kind() == Table.Kind.TABLE
        ? new InsertLink(relationship, target, before)
        : null;
  }

  private static boolean isOf(Relationship relationship, ForeignKey key) {
    return key.name().equals(relationship.foreignKey())
        && key.columns().equals(relationship.fromColumns())
        && key.target().equals(relationship.to());
  }

  private static boolean canWrite(Table table, List<String> columns) {
    return columns.stream().allMatch(name -> table.column(name).orElseThrow().writable());
  }

  /** Whether at most one related row is allowed. */
  public boolean single() {
    return relationship.single();
  }
}
