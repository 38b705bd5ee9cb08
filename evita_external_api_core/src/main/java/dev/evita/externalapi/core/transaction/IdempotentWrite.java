// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

import dev.evita.api.Arguments;
import dev.evita.api.EvitaException;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.core.work.Work;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A write with an {@code Idempotency-Key}: looks the key up; if there is no stored response,
 * writes, and stores the response in the same transaction.
 *
 * <pre>
 * LOOK -- stored --> replay it
 * '---- expired --> delete it --.
 * '---- none -------------------'--> the write's statements --> store its response --> respond
 * </pre>
 *
 * <p>Of two concurrent requests, the one that stores later fails, as the key exists, and is rolled
 * back. It then looks the key up again, and replays the response of the other.
 */
public final class IdempotentWrite implements TransactionExecution.Task {

  /** A write whose response can be stored, and replaced by a stored one. */
  public interface Write extends TransactionExecution.Task {

    /** The response, once all statements have ended; instead of {@link #finish}. */
    StoredResponse response();

    /**
     * Uses this response instead: nothing was written. Followed by {@link #done}.
     *
     * @param stored as returned by {@link #response}; the header {@link IdempotencyKeys#REPLAYED}
     *     is to be added
     */
    void replay(StoredResponse stored);
  }

  /**
   * The key of a request.
   *
   * @param keys stores the responses; ready
   * @param fingerprint of the request, from {@link IdempotencyKeys#fingerprint}
   */
  public record Key(IdempotencyKeys keys, String key, String fingerprint) {

    /** Executes a write with this key, as {@link TransactionExecution} executes one without. */
    public void run(Work work, Statements statements, Quota held, Write write) {
      var task = new IdempotentWrite(this, work, statements, write, null);
      new TransactionExecution(work, statements, held, task).run();
      keys.purge();
    }
  }

  private enum Step {
    LOOK,
    DECIDE,
    WRITE,
    STORED
  }

  private final Key key;
  private final Work work;
  private final Statements statements;
  private final Write write;
  private final @Nullable Throwable failure;
  private Step step = Step.LOOK;
  private IdempotencyKeys.@Nullable Stored found;

  /**
   * @param failure of the write, which is not retried; null if it was not tried yet
   */
  private IdempotentWrite(
      Key key, Work work, Statements statements, Write write, @Nullable Throwable failure) {
    this.key = key;
    this.work = work;
    this.statements = statements;
    this.write = write;
    this.failure = failure;
  }

  @Override
  public TransactionOptions options() {
    return failure == null ? write.options() : TransactionOptions.DEFAULT;
  }

  @Override
  public boolean sharesCommit() {
    return failure == null && write.sharesCommit();
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    return switch (step) {
      case LOOK -> {
        step = Step.DECIDE;
        yield new Lookup();
      }
      case DECIDE -> decide();
      case WRITE -> write();
      case STORED -> null;
    };
  }

  private TransactionExecution.@Nullable Statement decide() {
    step = Step.WRITE;
    var stored = found;
    if (stored != null && !key.keys().isExpired(stored)) {
      step = Step.STORED;
      write.replay(requireSame(stored));
      return null;
    }
    if (failure != null) {
      throw new FirstFailure(failure);
    }
    return stored == null ? write() : new Change(key.keys().deletion(), Arguments.of(key.key()));
  }

  private TransactionExecution.@Nullable Statement write() {
    var next = write.next();
    if (next != null) {
      return next;
    }
    step = Step.STORED;
    return new Change(
        key.keys().insertion(),
        IdempotencyKeys.stored(key.key(), key.fingerprint(), write.response()));
  }

  private StoredResponse requireSame(IdempotencyKeys.Stored stored) {
    if (!stored.fingerprint().equals(key.fingerprint())) {
      throw new EvitaException(
          HttpErrorCode.IDEMPOTENCY_KEY_REUSED,
          "Another request has used this " + IdempotencyKeys.HEADER,
          "The requests differ",
          "Use a new key for a new request",
          null);
    }
    return stored.response();
  }

  /** The response was built before it was stored. */
  @Override
  public void finish() {}

  @Override
  public boolean keeps() {
    return write.keeps();
  }

  @Override
  public void done() {
    write.done();
  }

  @Override
  public void failed(Throwable problem) {
    if (problem instanceof FirstFailure first) {
      write.failed(Objects.requireNonNull(first.getCause()));
    } else if (failure != null) {
      // The client is interested in the write's failure, not in that of the look-up after it.
      write.failed(isReuse(problem) ? problem : failure);
    } else if (mayBeStored(problem)) {
      var again = new IdempotentWrite(key, work, statements, write, problem);
      new TransactionExecution(work, statements, Quota.held(work.limits(), 0), again).run();
    } else {
      write.failed(problem);
    }
  }

  @Override
  public boolean restart() {
    step = Step.LOOK;
    found = null;
    return failure != null || write.restart();
  }

  private static boolean isReuse(Throwable problem) {
    return EvitaException.from(problem).code() == HttpErrorCode.IDEMPOTENCY_KEY_REUSED;
  }

  /** Whether the same request may have succeeded concurrently and caused this failure. */
  private static boolean mayBeStored(Throwable problem) {
    return switch (EvitaException.from(problem).code().category()) {
      case USER, INTERNAL -> true; // failures of a protocol have no error code of the contract
      case EXTERNAL, RESOURCES -> false;
    };
  }

  /** The failure of the write, once the look-up has found no stored response. */
  private static final class FirstFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FirstFailure(Throwable cause) {
      super(null, cause, false, false);
    }
  }

  private final class Lookup implements TransactionExecution.Statement {
    @Override
    public Prepared prepared() {
      return key.keys().lookup();
    }

    @Override
    public Arguments arguments() {
      return Arguments.of(key.key());
    }

    @Override
    public void row(Row row, Quota held) {
      found = IdempotencyKeys.read(row);
    }

    @Override
    public void completed(long affected) {}
  }

  private record Change(Prepared prepared, Arguments arguments)
      implements TransactionExecution.Statement {
    @Override
    public void row(Row row, Quota held) {}

    @Override
    public void completed(long affected) {}
  }
}
