// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.Parameter;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.grpc.messages.TypedTable;
import dev.evita.externalapi.grpc.messages.WireWriter;
import io.grpc.ServerCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inserts the rows of a client stream in one transaction, in batches of up to {@link #ROWS} rows
 * with the same columns. No rows are read while a batch is written: back-pressure by the
 * flow-control window slows a client that sends faster than the database writes.
 *
 * <pre>
 *   call's thread: row, row, row ... full, or the end
 *                                      '--> worker: insert --> call's thread: more, or commit
 * </pre>
 */
final class InsertManyCall extends ServerCall.Listener<byte[]> {

  private static final int ROWS = 500;
  private static final int BYTES = 256 << 10;

  private final ServerCall<byte[], byte[]> call;
  private final TypedTable table;
  private final Statements statements;
  private final OpenTransaction transaction;

  // Owned by the call's thread, or by the worker during a write.
  private List<String> columns = List.of();
  private List<@Nullable Object[]> rows = new ArrayList<>();
  private int bytes;
  private boolean begun;
  private boolean writing;
  private boolean refused;
  private boolean halfClosed;
  private boolean committed;
  private @Nullable Pending next;
  private long inserted;

  /** A row with other columns, which waits until the rows before it are written. */
  private record Pending(List<String> columns, @Nullable Object[] row) {}

  InsertManyCall(
      ServerCall<byte[], byte[]> call,
      TypedTable table,
      Statements statements,
      BackgroundWork background) {
    this.call = call;
    this.table = table;
    this.statements = statements;
    this.transaction = new OpenTransaction(call, background, statements, "gRPC InsertMany");
    call.request(1);
  }

  @Override
  public void onMessage(byte[] message) {
    boolean full;
    synchronized (this) {
      full = add(message);
      writing = full || refused;
    }
    if (full) {
      write();
    } else if (!refused) {
      call.request(1);
    }
  }

  /** Returns whether the received rows are to be written now. */
  private boolean add(byte[] message) {
    TypedTable.Given given;
    try {
      var request = table.parse("InsertRequest", message);
      given = WriteMethods.given(table, request);
    } catch (RuntimeException e) {
      var problem = at("Message " + (inserted + rows.size() + 1), EvitaException.from(e));
      refused = true; // a subsequent end of the requests must not begin another step
      transaction.work(() -> transaction.fail(problem));
      return false;
    }
    var row = given.values().toArray();
    bytes += message.length;
    if (rows.isEmpty()) {
      columns = given.names();
    } else if (!columns.equals(given.names())) {
      next = new Pending(given.names(), row);
      return true;
    }
    rows.add(row);
    return rows.size() >= ROWS || bytes >= BYTES;
  }

  /** Returns a client error with its position. */
  private static EvitaException at(String where, EvitaException problem) {
    return problem.code().category() != ErrorCode.Category.USER
        ? problem
        : new EvitaException(
            problem.code(),
            where + ": " + problem.publicMessage(),
            problem.details(),
            problem.hint(),
            problem.getCause());
  }

  @Override
  public void onHalfClose() {
    synchronized (this) {
      halfClosed = true;
      if (writing) {
        return;
      }
      writing = true;
    }
    write();
  }

  private void write() {
    transaction.work(() -> {
      if (begun) {
        insert();
      } else {
        begun = true;
        transaction.begin(TransactionOptions.DEFAULT, this::insert);
      }
    });
  }

  private void insert() {
    if (rows.isEmpty()) {
      written();
      return;
    }
    try {
      var insert =
          new Insert(table.proto().table().name(), columns, new Parameter(0), null, List.of());
      var prepared = statements.prepare(insert);
      var batch = new InsertRows(rows);
      var count = rows.size();
      transaction.run(
          prepared,
          Arguments.of(batch),
          new OpenTransaction.Rows() {
            @Override
            public void completed(long affected) {
              inserted += count;
            }

            @Override
            public EvitaException reported(EvitaException problem) {
              var last = inserted + count;
              return at(
                  count == 1
                      ? "Message " + last
                      : "One of the messages " + (inserted + 1) + " to " + last,
                  problem);
            }
          },
          this::written);
    } catch (RuntimeException e) {
      transaction.fail(e);
    }
  }

  private void written() {
    boolean more;
    boolean last;
    synchronized (this) {
      rows = new ArrayList<>();
      bytes = 0;
      var waiting = next;
      next = null;
      if (waiting != null) {
        columns = waiting.columns();
        rows.add(waiting.row());
      }
      more = halfClosed && !rows.isEmpty();
      last = halfClosed && rows.isEmpty() && !committed;
      committed |= last;
      writing = more || last;
    }
    if (more) {
      insert();
    } else if (last) {
      transaction.commit(
          () -> transaction.reply().complete(new WireWriter().integer(1, inserted).take()));
    } else {
      call.request(1);
    }
  }

  @Override
  public void onCancel() {
    transaction.reply().cancel();
  }
}
