// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** A table's exact name in the database. */
public record TableName(String schema, String table) implements Comparable<TableName> {

  @Override
  public int compareTo(TableName other) {
    var bySchema = schema.compareTo(other.schema);
    return bySchema != 0 ? bySchema : table.compareTo(other.table);
  }

  @Override
  public String toString() {
    return schema + "." + table;
  }
}
