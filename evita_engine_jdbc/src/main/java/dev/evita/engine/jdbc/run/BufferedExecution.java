// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import dev.evita.engine.jdbc.sql.SelectLevel;
import dev.evita.engine.jdbc.value.Codec;
import dev.evita.engine.jdbc.value.ParentKeys;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run that holds the rows of all levels before it pushes the first: one statement for each level
 * that has a parent row.
 */
class BufferedExecution extends JdbcExecution {

  private final SelectLevel level;
  private @Nullable LevelCursor cursor;

  BufferedExecution(
      EngineContext backend,
      SchemaGuard guard,
      SelectLevel level,
      Arguments arguments,
      @Nullable JdbcTransaction transaction,
      RowSink sink) {
    super(backend, guard, arguments, transaction, sink);
    this.level = level;
  }

  @Override
  public RowShape shape() {
    return level.shape();
  }

  @Override
  void open() throws SQLException {
    var data = new LevelData(level);
    query(level.all(), null, data.block);
    present(data);
    requireSameTables();
  }

  /** Reads the levels below these rows and stands before the first of them. */
  protected final void present(LevelData data) throws SQLException {
    expand(data);
    cursor = LevelCursor.all(data);
  }

  private void expand(LevelData data) throws SQLException {
    for (int i = 0; i < data.related.length; i++) {
      data.related[i] = related(data, data.level.children().get(i));
    }
  }

  private LevelData.Related related(LevelData parents, SelectLevel.Child child)
      throws SQLException {
    var columns = child.parentColumns();
    var source = new Codec[columns.length];
    for (int i = 0; i < columns.length; i++) {
      source[i] = parents.block.codec(columns[i]);
    }
    var keys = new ParentKeys(source, child.level().keyCodecs());
    var keyOf = new int[parents.block.size()];
    for (int row = 0; row < keyOf.length; row++) {
      keyOf[row] = keys.add(parents.block, row, columns);
    }
    var data = new LevelData(child.level());
    if (keys.size() > 0) {
      var single = keys.size() == 1 && !child.level().numbered();
      var sql = single ? child.level().one().get() : child.level().all();
      query(sql, keys, data.block);
    }
    var related = LevelData.distribute(data, keyOf, keys);
    expand(data);
    return related;
  }

  @Override
  boolean advance() {
    return Objects.requireNonNull(cursor).next();
  }

  @Override
  Row row() {
    return Objects.requireNonNull(cursor);
  }

  @Override
  void close(boolean success) throws SQLException {}
}
