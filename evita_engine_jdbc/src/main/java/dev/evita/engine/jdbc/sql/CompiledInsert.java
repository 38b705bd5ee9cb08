// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.dialect.WriteStatements;
import dev.evita.engine.jdbc.value.Codec;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An insert of any number of rows.
 *
 * <p>Successive rows that leave the same columns to their defaults go into one statement of up to
 * {@link #MOST_ROWS} rows; their number is rounded down to a power of two, so that few texts are
 * prepared. An upsert never has one key twice in a statement, which some databases refuse.
 */
public final class CompiledInsert implements CompiledWrite {

  private static final int MOST_ROWS = 256;
  private static final int MOST_TEXTS = 500;

  /** A statement's shape: which columns are given, and how many rows. */
  private record TextKey(BitSet given, int rows) {}

  private final Insert insert;
  private final Dialect dialect;
  private final String table;
  private final List<String> columns;
  private final Codec[] codecs;
  private final List<String> returning;
  private final Map<TextKey, WriteStatements.Upsert> texts = new ConcurrentHashMap<>();

  /**
   * A compiled insert.
   *
   * @param table quoted
   * @param columns quoted
   * @param returning quoted columns; empty for nothing
   */
  public CompiledInsert(
      Insert insert,
      Dialect dialect,
      String table,
      List<String> columns,
      Codec[] codecs,
      List<String> returning) {
    this.insert = insert;
    this.dialect = dialect;
    this.table = table;
    this.columns = columns;
    this.codecs = codecs;
    this.returning = returning;
  }

  @Override
  public TableName table() {
    return insert.into();
  }

  @Override
  public boolean several(Arguments arguments) {
    return rows(arguments).size() > 1;
  }

  private List<@Nullable Object[]> rows(Arguments arguments) {
    if (Bind.argument(arguments, insert.rows()) instanceof InsertRows(var rows)) {
      return rows;
    }
    throw new EvitaException(
        ErrorCode.INVALID_VALUE, "Argument " + insert.rows().index() + " is not a list of rows");
  }

  @Override
  public long write(Arguments arguments, Executor executor) throws SQLException {
    var rows = rows(arguments);
    rows.forEach(this::requireFits);
    long written = 0;
    for (int first = 0; first < rows.size(); ) {
      var given = given(rows.get(first));
      var chunk = rows.subList(first, first + chunk(rows, first, given));
      var text = text(given, chunk.size());
      written += executor.execute(text.sql(), statement -> bind(statement, chunk, text));
      first += chunk.size();
    }
    return written;
  }

  private void requireFits(@Nullable Object[] row) {
    if (row.length != codecs.length) {
      throw JdbcErrors.invalid(
          "a row of %d values for %d columns".formatted(row.length, codecs.length));
    }
  }

  private static BitSet given(@Nullable Object[] row) {
    var given = new BitSet(row.length);
    for (int i = 0; i < row.length; i++) {
      given.set(i, !isDefault(row[i]));
    }
    return given;
  }

  @SuppressWarnings("ReferenceEquality") // it is a mark, equal to nothing but itself
  private static boolean isDefault(@Nullable Object value) {
    return value == InsertRows.DEFAULT;
  }

  /** How many rows from this one on go into one statement. */
  private int chunk(List<@Nullable Object[]> rows, int first, BitSet given) {
    var most = Math.min(rows.size() - first, mostRows(given));
    var keys = new HashSet<List<@Nullable Object>>();
    var size = 0;
    while (size < most
        && given(rows.get(first + size)).equals(given)
        && keys.add(key(rows.get(first + size), size))) {
      size++;
    }
    return Integer.highestOneBit(size);
  }

  private int mostRows(BitSet given) {
    if (given.isEmpty()) {
      return 1;
    }
    var rows = Math.min(MOST_ROWS, dialect.writes().mostParameters() / given.cardinality());
    return insert.onConflict() == null ? rows : Math.min(rows, dialect.writes().mostUpsertRows());
  }

  /** What must be there only once in a statement; a plain insert's rows are all different. */
  private List<@Nullable Object> key(@Nullable Object[] row, int number) {
    var onConflict = insert.onConflict();
    if (onConflict == null) {
      return List.of(number);
    }
    var key = new ArrayList<@Nullable Object>();
    for (var column : onConflict.keyColumns()) {
      var at = insert.columns().indexOf(column);
      key.add(at < 0 ? number : row[at]);
    }
    return key;
  }

  private WriteStatements.Upsert text(BitSet given, int rows) {
    if (texts.size() > MOST_TEXTS) {
      texts.clear();
    }
    return texts.computeIfAbsent(new TextKey(given, rows), this::render);
  }

  private WriteStatements.Upsert render(TextKey key) {
    var given = key.given().stream().boxed().toList();
    var names = given.stream().map(columns::get).toList();
    var written = statement(names, key.rows());
    var order = written.order().stream().map(given::get).toList();
    var sql =
        returning.isEmpty()
            ? written.sql()
            : dialect.writes().returning(WriteStatements.Write.INSERT, written.sql(), returning);
    return new WriteStatements.Upsert(sql, order);
  }

  private WriteStatements.Upsert statement(List<String> names, int rows) {
    var onConflict = insert.onConflict();
    if (names.isEmpty()) {
      return new WriteStatements.Upsert("insert into " + table + " default values", List.of());
    }
    if (onConflict != null) {
      var keys = onConflict.keyColumns().stream().map(this::quoted).toList();
      // A key that the database makes itself cannot be one that is there.
      if (names.containsAll(keys)) {
        var update =
            onConflict.update().stream().map(this::quoted).filter(names::contains).toList();
        return dialect.writes().upsert(table, names, rows, keys, update);
      }
    }
    var row = names.stream().map(name -> "?").collect(Collectors.joining(", ", "(", ")"));
    var text =
        "insert into %s (%s) values %s"
            .formatted(
                table, String.join(", ", names), String.join(", ", Collections.nCopies(rows, row)));
    return new WriteStatements.Upsert(text, IntStream.range(0, names.size()).boxed().toList());
  }

  private String quoted(String column) {
    var at = insert.columns().indexOf(column);
    return at < 0 ? "" : columns.get(at);
  }

  private void bind(
      PreparedStatement statement, List<@Nullable Object[]> rows, WriteStatements.Upsert text)
      throws SQLException {
    var index = 1;
    for (var row : rows) {
      for (var column : text.order()) {
        codecs[column].bind(statement, index++, row[column]);
      }
    }
  }
}
