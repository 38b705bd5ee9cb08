// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.Comparison;
import dev.evita.api.Delete;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.Operation;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.api.Update;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.SystemTable;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.Statements;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the names and numbers stored in the database, and stores those of new tables and fields, in
 * one transaction. Used once.
 *
 * <pre>
 *   number   name            wire      type             position
 *   1 ...    of the field    its kind  of the column    where it stands; 0 for one that is gone
 *   0        of the service  service   of the package   0
 *   -1       version         version   version          how often anything was stored
 * </pre>
 *
 * <p>The last row is the version of this table: if several servers store concurrently, all but one
 * detect that it has changed, and retry.
 */
public final class FieldNumberStore implements TransactionExecution.Task {

  private static final List<String> COLUMNS =
      List.of(
          "schema_name",
          "table_name",
          "field_number",
          "field_name",
          "wire",
          "field_type",
          "field_position");

  private static final int ROWS_AT_ONCE = 500;

  private static final int OF_SERVICE = 0;
  private static final int OF_VERSION = -1;

  private final Statements statements;
  private final Catalog catalog;
  private final TableName name;
  private final List<String> columns;
  private final Outcome outcome;
  private final Map<TableName, ServiceName> names = new HashMap<>();
  private final Map<TableName, List<FieldNumber>> fields = new HashMap<>();
  private final Deque<TransactionExecution.Statement> writes = new ArrayDeque<>();
  private boolean begun;
  private long version;
  private @Nullable FieldNumbers numbers;

  /** The result of storing. */
  public interface Outcome {

    /** All tables of the catalog have names and numbers, which are stored. */
    void kept(FieldNumbers numbers);

    /**
     * They are not stored.
     *
     * @param numbers the numbers that would be stored; null if the stored ones could not be read
     */
    void failed(Throwable problem, @Nullable FieldNumbers numbers);
  }

  /**
   * @param table the table in which they are stored
   */
  public FieldNumberStore(ApiContext context, Table table, Outcome outcome) {
    this.statements = context.statements();
    this.catalog = context.catalog();
    this.name = table.name();
    this.columns = SystemTable.columns(table, COLUMNS);
    if (columns.isEmpty()) {
      throw SystemTable.lacks(table, COLUMNS);
    }
    this.outcome = outcome;
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    if (begun) {
      return writes.poll();
    }
    begun = true;
    return new Read(
        statements.prepare(
            Select.of(name, columns.stream().<Output>map(Output.Column::new).toList())));
  }

  private final class Read implements TransactionExecution.Statement {

    private final Prepared prepared;

    private Read(Prepared prepared) {
      this.prepared = prepared;
    }

    @Override
    public Prepared prepared() {
      return prepared;
    }

    @Override
    public Arguments arguments() {
      return Arguments.NONE;
    }

    @Override
    public void row(Row row, Quota held) {
      var table = new TableName(text(row, 0), text(row, 1));
      var number = (int) row.longAt(2);
      switch (number) {
        case OF_VERSION -> version = row.longAt(6);
        case OF_SERVICE -> names.put(table, new ServiceName(text(row, 5), text(row, 3)));
        default ->
            fields
                .computeIfAbsent(table, key -> new ArrayList<>())
                .add(
                    new FieldNumber(
                        number, text(row, 3), text(row, 4), text(row, 5), (int) row.longAt(6)));
      }
    }

    private static String text(Row row, int slot) {
      return String.valueOf(row.textAt(slot));
    }

    @Override
    public void completed(long affected) {
      var stored = new StoredTableNames(names, fields);
      var advanced = FieldNumbers.advance(catalog, stored, true);
      numbers = advanced;
      var changed = advanced.changed(stored);
      if (!changed.isEmpty()) {
        count();
        changed.stream().filter(stored::contains).forEach(table -> writes.add(forget(table)));
        var rows = new ArrayList<@Nullable Object[]>();
        changed.forEach(table -> rows.addAll(rows(table, advanced)));
        for (int i = 0; i < rows.size(); i += ROWS_AT_ONCE) {
          insert(rows.subList(i, Math.min(rows.size(), i + ROWS_AT_ONCE)));
        }
      }
    }
  }

  /** Increments the version, unless another server has done so since it was read. */
  private void count() {
    if (version == 0) {
      var first = new FieldNumber(OF_VERSION, "version", "version", "version", 1);
      insert(List.<@Nullable Object[]>of(row(name, first)));
      return;
    }
    var changes =
        List.<Update.Change>of(new Update.Change.Assign(columns.get(6), new Parameter(0)));
    var where = new Filter.And(List.of(equal(2, 1), equal(6, 2)));
    writes.add(
        new Count(
            statements.prepare(new Update(name, changes, where, List.of())),
            Arguments.of(version + 1, (long) OF_VERSION, version)));
  }

  private void insert(List<@Nullable Object[]> rows) {
    var insert = new Insert(name, columns, new Parameter(0), null, List.of());
    writes.add(write(insert, Arguments.of(new InsertRows(List.copyOf(rows)))));
  }

  private static List<@Nullable Object[]> rows(TableName table, FieldNumbers numbers) {
    var service = numbers.names().of(table);
    var rows = new ArrayList<@Nullable Object[]>();
    rows.add(
        row(
            table,
            new FieldNumber(OF_SERVICE, service.base(), "service", service.packageName(), 0)));
    numbers.fields(table).forEach(field -> rows.add(row(table, field)));
    return rows;
  }

  private static @Nullable Object[] row(TableName table, FieldNumber field) {
    return new @Nullable Object[] {
      table.schema(),
      table.table(),
      (long) field.number(),
      field.name(),
      field.wire(),
      field.type(),
      (long) field.position()
    };
  }

  private TransactionExecution.Statement forget(TableName table) {
    var where = new Filter.And(List.of(equal(0, 0), equal(1, 1)));
    return write(new Delete(name, where, List.of()), Arguments.of(table.schema(), table.table()));
  }

  private Filter equal(int column, int parameter) {
    return new Filter.Compare(columns.get(column), Comparison.EQUAL, new Parameter(parameter));
  }

  private TransactionExecution.Statement write(Operation operation, Arguments arguments) {
    return new Write(statements.prepare(operation), arguments);
  }

  private record Write(Prepared prepared, Arguments arguments)
      implements TransactionExecution.Statement {
    @Override
    public void row(Row row, Quota held) {}

    @Override
    public void completed(long affected) {}
  }

  private record Count(Prepared prepared, Arguments arguments)
      implements TransactionExecution.Statement {
    @Override
    public void row(Row row, Quota held) {}

    @Override
    public void completed(long affected) {
      if (affected != 1) {
        throw new EvitaException(
            ErrorCode.SERIALIZATION_FAILURE,
            "Other servers store names and numbers all the time; try again");
      }
    }
  }

  @Override
  public void finish() {}

  @Override
  public void done() {
    var kept = numbers;
    if (kept == null) {
      throw new IllegalStateException("nothing was read");
    }
    outcome.kept(kept);
  }

  @Override
  public void failed(Throwable problem) {
    outcome.failed(problem, numbers);
  }
}
