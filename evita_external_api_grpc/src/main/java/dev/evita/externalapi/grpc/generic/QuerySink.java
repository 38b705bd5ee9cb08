// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.grpc.messages.WireWriter;
import dev.evita.externalapi.grpc.transport.CallResponse;
import org.jspecify.annotations.Nullable;

/** Answers a query of the generic service: the columns, then rows, many in a message. */
final class QuerySink implements RowSink {

  private final CallResponse reply;
  private final RowMessages messages;
  private final Quota quota;
  private final WireWriter writer = new WireWriter();
  private @Nullable Execution execution;
  private @Nullable RuntimeException failure;
  private long sent;

  QuerySink(CallResponse reply, RowMessages messages) {
    this.reply = reply;
    this.messages = messages;
    this.quota = Quota.of(reply.work().limits(), 0);
    messages.columns(writer);
  }

  @Override
  public void started(Execution started) {
    execution = started;
    reply.work().started(started);
  }

  @Override
  public Demand row(Row row) {
    try {
      quota.count();
      messages.row(row, writer);
      quota.requireShort(sent + writer.position());
    } catch (RuntimeException e) {
      failure = e;
      return Demand.STOP;
    }
    if (writer.position() < RowMessages.BYTES) {
      return Demand.MORE;
    }
    send();
    var running = execution;
    return running == null || reply.keepsUp(running) ? Demand.MORE : Demand.PAUSE;
  }

  private void send() {
    var message = writer.take();
    sent += message.length;
    reply.send(message);
  }

  @Override
  public void completed(long affected) {
    if (failure != null) {
      reply.fail(failure);
      return;
    }
    if (writer.position() > 0) {
      send();
    }
    reply.complete();
  }

  @Override
  public void failed(EvitaException problem) {
    reply.fail(failure == null ? problem : failure);
  }
}
