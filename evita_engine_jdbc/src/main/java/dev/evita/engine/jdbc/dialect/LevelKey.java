// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Column;
import dev.evita.api.Relationship;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.value.Codec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The join of the rows of a level with their parents.
 *
 * <p>A child row carries its key, by which its parents are found here: that is cheap, but correct
 * only if the database's equality is that of {@code Keys}. Otherwise (texts that ignore case or
 * padding, floating point, columns of different types) the keys are a relation of numbered rows
 * that the database itself joins, and a child row carries the number of a key.
 *
 * @param columns the children's
 * @param codecs of the keys: the children's columns; the parents' if keys are numbered
 * @param natives likewise their native types
 * @param join the join condition of parents and children; null at the root
 */
public record LevelKey(
    List<String> columns,
    List<Codec> codecs,
    List<String> natives,
    boolean numbered,
    @Nullable KeyJoin join) {

  /** The key of the root, which has no parents. */
  public static final LevelKey NONE = new LevelKey(List.of(), List.of(), List.of(), false, null);

  public LevelKey {
    columns = List.copyOf(columns);
    codecs = List.copyOf(codecs);
    natives = List.copyOf(natives);
  }

  public static LevelKey of(Relationship relationship, Table from, Table to, Dialect dialect) {
    var numbered = false;
    for (int i = 0; i < relationship.toColumns().size(); i++) {
      var parent = Columns.named(from, relationship.fromColumns().get(i));
      var child = Columns.named(to, relationship.toColumns().get(i));
      numbered |= !dialect.keys().sameEquality(parent, child);
    }
    var table = numbered ? from : to;
    var names = numbered ? relationship.fromColumns() : relationship.toColumns();
    var columns = names.stream().map(name -> Columns.named(table, name)).toList();
    return new LevelKey(
        relationship.toColumns(),
        columns.stream().map(column -> codec(dialect, table, column)).toList(),
        columns.stream().map(Column::nativeType).toList(),
        numbered,
        new KeyJoin(from, relationship, to, dialect));
  }

  private static Codec codec(Dialect dialect, Table table, Column column) {
    return dialect
        .values()
        .codec(column.type(), column.nativeType(), table.name() + "." + column.name());
  }

  public boolean ofRoot() {
    return columns.isEmpty();
  }
}
