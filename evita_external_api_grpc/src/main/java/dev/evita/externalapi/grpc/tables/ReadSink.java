// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.grpc.messages.ReadCall;
import dev.evita.externalapi.grpc.messages.RowEncoder;
import dev.evita.externalapi.grpc.messages.WireWriter;
import dev.evita.externalapi.grpc.transport.CallResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Converts rows to messages, with one implementation for each read method. */
abstract sealed class ReadSink implements RowSink {

  private final CallResponse reply;
  private final RowEncoder encoder;
  private final Quota quota;
  final WireWriter writer = new WireWriter();
  private @Nullable Execution execution;
  private @Nullable Throwable failure;
  private long sent;

  private ReadSink(CallResponse reply, ReadCall request) {
    this.reply = reply;
    this.encoder = new RowEncoder(request.columns(), 0);
    this.quota = Quota.of(reply.work().limits(), 0);
  }

  /** Receives a row. */
  abstract Demand take(Row row);

  /** Called after the last row. */
  abstract void end(CallResponse to);

  final void write(Row row) {
    quota.count();
    encoder.write(row, writer);
    quota.requireShort(sent + writer.position());
  }

  /** Sends the written messages, and returns whether to continue. */
  final Demand send() {
    var message = writer.take();
    sent += message.length;
    reply.send(message);
    var running = execution;
    return running == null || reply.keepsUp(running) ? Demand.MORE : Demand.PAUSE;
  }

  @Override
  public final void started(Execution started) {
    execution = started;
    reply.work().started(started);
  }

  @Override
  public final int maxHeldRows() {
    return reply.work().limits().maxHeldRows();
  }

  @Override
  public final Demand row(Row row) {
    try {
      return take(row);
    } catch (RuntimeException e) {
      failure = e;
      return Demand.STOP;
    }
  }

  @Override
  public final void completed(long affected) {
    var problem = failure;
    if (problem != null) {
      reply.fail(problem);
    } else {
      end(reply);
    }
  }

  @Override
  public final void failed(EvitaException problem) {
    reply.fail(failure == null ? problem : failure);
  }

  /** Writes the one row of a key. */
  static final class One extends ReadSink {

    private final String table;
    private boolean found;

    One(CallResponse reply, ReadCall request, String table) {
      super(reply, request);
      this.table = table;
    }

    @Override
    Demand take(Row row) {
      found = true;
      write(row);
      return Demand.MORE;
    }

    @Override
    void end(CallResponse to) {
      if (found) {
        to.complete(writer.take());
      } else {
        to.fail(notFound(table));
      }
    }
  }

  static EvitaException notFound(String table) {
    return new EvitaException(
        HttpErrorCode.NOT_FOUND, "There is no row of this key in '" + table + "'");
  }

  /** Writes all rows, each as a message. */
  static final class Each extends ReadSink {

    Each(CallResponse reply, ReadCall request) {
      super(reply, request);
    }

    @Override
    Demand take(Row row) {
      write(row);
      return send();
    }

    @Override
    void end(CallResponse to) {
      to.complete();
    }
  }

  /** Writes a page of rows in one message, with the token of the next page. */
  static final class Page extends ReadSink {

    private static final int ROWS = 1;
    private static final int NEXT = 2;

    private final ReadCall.Paging paging;
    private final long skipped;
    private final int columns;
    private int rows;
    private String next = "";

    Page(CallResponse reply, ReadCall request, Arguments arguments) {
      super(reply, request);
      this.paging = Objects.requireNonNull(request.paging(), "the request has a page");
      this.skipped = skipped(paging, arguments);
      this.columns = request.columns().size();
    }

    private static long skipped(ReadCall.Paging paging, Arguments arguments) {
      var parameter = paging.skipped();
      return parameter != null && arguments.get(parameter) instanceof Long rows ? rows : 0;
    }

    @Override
    Demand take(Row row) {
      if (rows == paging.size()) {
        writer.string(NEXT, next);
        return Demand.STOP;
      }
      rows++;
      var begun = writer.begin(ROWS);
      write(row);
      writer.end(begun);
      if (rows == paging.size()) {
        var cursors = paging.cursors();
        next =
            cursors == null
                ? Long.toString(skipped + rows, Character.MAX_RADIX)
                : cursors.encode(row, columns);
      }
      return Demand.MORE;
    }

    @Override
    void end(CallResponse to) {
      to.complete(writer.take());
    }
  }
}
