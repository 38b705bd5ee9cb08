// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.api.TransactionOptions;
import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.grpc.messages.MessageFields;
import dev.evita.externalapi.grpc.messages.ReadCall;
import dev.evita.externalapi.grpc.messages.WireWriter;
import dev.evita.externalapi.grpc.tables.OpenTransaction;
import dev.evita.externalapi.grpc.transport.CallResponse;
import io.grpc.ServerCall;
import org.jspecify.annotations.Nullable;

/**
 * A client-driven transaction, request by request: the next request is read once the response to
 * the previous one is sent. It must end within {@code request-timeout}, as other transactions may
 * wait for its locks.
 */
final class TransactionCall extends ServerCall.Listener<byte[]> {

  private static final int QUERY = 1;
  private static final int MUTATE = 2;
  private static final int DONE = 3;

  private final ServerCall<byte[], byte[]> call;
  private final DatabaseService database;
  private final CallResponse reply;
  private final OpenTransaction transaction;
  private final Quota quota;
  private long sent;
  private boolean begun;
  private boolean busy;
  private boolean over;
  private boolean halfClosed;

  TransactionCall(
      ServerCall<byte[], byte[]> call, DatabaseService database, BackgroundWork background) {
    this.call = call;
    this.database = database;
    this.transaction =
        new OpenTransaction(call, background, database.context().statements(), "gRPC transactions");
    this.reply = transaction.reply();
    this.quota = Quota.held(reply.work().limits(), 0);
    call.request(1);
  }

  @Override
  public void onMessage(byte[] message) {
    synchronized (this) {
      busy = true;
    }
    MessageFields request;
    try {
      request = database.parse("TransactionRequest", message);
      requireInOrder(request.which("kind"));
    } catch (RuntimeException e) {
      transaction.work(() -> transaction.fail(e));
      return;
    }
    transaction.work(() -> begun(request));
  }

  private void requireInOrder(String kind) {
    if (kind.isEmpty()) {
      throw ReadCall.invalid(
          "The request is empty; expected begin, query, mutate, commit or rollback");
    }
    if (kind.equals("begin") && begun) {
      throw ReadCall.invalid("The transaction is already open; begin must be the first request");
    }
  }

  private void begun(MessageFields request) {
    if (begun) {
      handle(request);
      return;
    }
    begun = true;
    TransactionOptions options;
    try {
      options = options(request.nested("begin"));
    } catch (RuntimeException e) {
      transaction.fail(e);
      return;
    }
    transaction.begin(options, () -> handle(request));
  }

  private static TransactionOptions options(@Nullable MessageFields begin) {
    if (begin == null) {
      return TransactionOptions.DEFAULT;
    }
    var isolation =
        switch (begin.label("isolation")) {
          case 0 -> Isolation.DEFAULT;
          case 1 -> Isolation.READ_COMMITTED;
          case 2 -> Isolation.REPEATABLE_READ;
          case 3 -> Isolation.SERIALIZABLE;
          default -> throw ReadCall.invalid("isolation is unknown; expected a number from 0 to 3");
        };
    return new TransactionOptions(isolation, begin.bool("read_only"));
  }

  private void handle(MessageFields request) {
    try {
      switch (request.which("kind")) {
        case "begin" -> respond(new WireWriter().bool(DONE, true).take());
        case "query" -> query(request.nested("query"));
        case "mutate" -> mutate(request.nested("mutate"));
        case "commit" -> {
          over();
          transaction.commit(this::end);
        }
        default -> {
          over();
          transaction.rollback(this::end);
        }
      }
    } catch (RuntimeException e) {
      transaction.fail(e);
    }
  }

  private synchronized void over() {
    over = true;
  }

  private void end() {
    reply.complete(new WireWriter().bool(DONE, true).take());
  }

  private void query(@Nullable MessageFields request) {
    var bound = database.reader().query(require(request));
    var messages = database.queried(bound);
    var prepared = database.prepare(bound);
    var rows = new WireWriter();
    messages.columns(rows);
    transaction.run(
        prepared,
        bound.arguments(),
        new OpenTransaction.Rows() {
          @Override
          public void row(Row row) {
            quota.count();
            messages.row(row, rows);
            quota.requireShort(sent + rows.position());
            if (rows.position() >= RowMessages.BYTES) {
              send(new WireWriter().binary(QUERY, rows.take()).take());
            }
          }
        },
        () -> respond(new WireWriter().binary(QUERY, rows.take()).bool(DONE, true).take()));
  }

  private static MessageFields require(@Nullable MessageFields request) {
    if (request == null) {
      throw new IllegalStateException("it was looked at before");
    }
    return request;
  }

  private void mutate(@Nullable MessageFields request) {
    var bound = database.reader().mutation(require(request));
    var written = new DatabaseService.Mutation(database.returned(bound));
    transaction.run(
        database.prepare(bound),
        bound.arguments(),
        new OpenTransaction.Rows() {
          @Override
          public void row(Row row) {
            written.row(row, quota);
          }

          @Override
          public void completed(long affected) {
            written.completed(affected);
          }
        },
        () -> respond(new WireWriter().binary(MUTATE, written.message()).bool(DONE, true).take()));
  }

  private void send(byte[] message) {
    sent += message.length;
    reply.send(message);
  }

  /** Sends the last message for a request: the next may be read. */
  private void respond(byte[] message) {
    send(message);
    boolean last;
    synchronized (this) {
      busy = false;
      last = halfClosed;
    }
    if (last) {
      abandoned();
    } else {
      call.request(1);
    }
  }

  @Override
  public void onHalfClose() {
    synchronized (this) {
      halfClosed = true;
      if (busy || over) {
        return;
      }
    }
    transaction.work(this::abandoned);
  }

  private void abandoned() {
    transaction.fail(
        new EvitaException(
            ErrorCode.TRANSACTION_CLOSED,
            "The requests have ended without commit, and nothing was kept"));
  }

  @Override
  public void onCancel() {
    reply.cancel();
  }
}
