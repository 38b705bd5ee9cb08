// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.EvitaException;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.core.transaction.IdempotentWrite;
import dev.evita.externalapi.core.transaction.StoredResponse;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.grpc.messages.RowEncoder;
import dev.evita.externalapi.grpc.messages.WireWriter;
import dev.evita.externalapi.grpc.transport.CallResponse;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A writing statement, in a transaction of its own, and its response. A serialization conflict is
 * retried, as nothing of the failed attempt was committed.
 */
public final class GrpcWriteExecution
    implements IdempotentWrite.Write, TransactionExecution.Statement {

  /**
   * A prepared write.
   *
   * @param builders creates a builder for each attempt
   */
  public record Write(
      Prepared prepared, Arguments arguments, Supplier<WriteMessageBuilder> builders) {}

  /**
   * Builds the response message of a write. An exception thrown by its methods rolls the
   * transaction back.
   */
  public interface WriteMessageBuilder {

    /** Adds a returned row. */
    void row(Row row, Quota held);

    /** Sets the number of written rows. */
    void completed(long affected);

    /** Returns the message; called last. */
    byte[] message();
  }

  /** A response of the one written row. */
  static final class OneRow implements WriteMessageBuilder {

    private final RowEncoder encoder;
    private final EvitaException absent;
    private final WireWriter writer = new WireWriter();
    private boolean written;

    /**
     * @param absent the failure if no row was written
     */
    OneRow(RowEncoder encoder, EvitaException absent) {
      this.encoder = encoder;
      this.absent = absent;
    }

    @Override
    public void row(Row row, Quota held) {
      written = true;
      encoder.write(row, writer);
      held.requireShort(writer.position());
    }

    @Override
    public void completed(long affected) {
      if (!written) {
        throw absent;
      }
    }

    @Override
    public byte[] message() {
      return writer.take();
    }
  }

  private final CallResponse reply;
  private final Statements statements;
  private final Write write;
  private WriteMessageBuilder builder;
  private final IdempotentWrite.@Nullable Key key;
  private byte @Nullable [] message;
  private boolean begun;

  private GrpcWriteExecution(
      CallResponse reply, Statements statements, Write write, IdempotentWrite.@Nullable Key key) {
    this.reply = reply;
    this.statements = statements;
    this.write = write;
    this.builder = write.builders().get();
    this.key = key;
  }

  /**
   * Executes a write. On a worker thread, as it may wait for locks.
   *
   * @param request the message of the call, which together with its path is identified by an
   *     idempotency key
   */
  public static void run(CallResponse reply, ApiContext context, byte[] request, Write write) {
    var keys = context.idempotencyKeys();
    IdempotentWrite.Key key;
    try {
      key = reply.key(keys, request);
    } catch (RuntimeException e) {
      reply.fail(e);
      return;
    }
    if (key == null || keys.ready()) {
      new GrpcWriteExecution(reply, context.statements(), write, key).run();
    } else {
      keys.create(reply.work(), reply::fail);
    }
  }

  private void run() {
    var held = Quota.held(reply.work().limits(), 0);
    if (key == null) {
      new TransactionExecution(reply.work(), statements, held, this).run();
    } else {
      key.run(reply.work(), statements, held, this);
    }
  }

  @Override
  public boolean sharesCommit() {
    return !(write.prepared().operation() instanceof Call);
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    var first = !begun;
    begun = true;
    return first ? this : null;
  }

  @Override
  public Prepared prepared() {
    return write.prepared();
  }

  @Override
  public Arguments arguments() {
    return write.arguments();
  }

  @Override
  public void row(Row row, Quota held) {
    builder.row(row, held);
  }

  @Override
  public void completed(long affected) {
    builder.completed(affected);
  }

  @Override
  public void finish() {
    message = builder.message();
  }

  @Override
  public StoredResponse response() {
    var made = builder.message();
    message = made;
    return new StoredResponse(
        200, "application/grpc", Map.of(), Base64.getEncoder().encodeToString(made));
  }

  @Override
  public void replay(StoredResponse stored) {
    message = Base64.getDecoder().decode(stored.body());
    reply.header(IdempotencyKeys.REPLAYED.toLowerCase(Locale.ROOT), "true");
  }

  @Override
  public void done() {
    reply.complete(Objects.requireNonNull(message, "it was made before the commit"));
  }

  @Override
  public void failed(Throwable problem) {
    reply.fail(problem);
  }

  @Override
  public boolean restart() {
    builder = write.builders().get();
    message = null;
    begun = false;
    return true;
  }
}
