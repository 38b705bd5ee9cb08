// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.TransactionRun;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A write with an {@code Idempotency-Key}: looks for the answer that was given to the key; where
 * there is none, writes and stores the answer with it.
 *
 * <pre>
 *   look -- stored --> answer it again
 *        '- too old --> forget --.
 *        '- none ----------------'--> the write's statements --> store --> answer
 * </pre>
 *
 * <p>Of two requests that come at once the one that stores later fails as the key is there, is
 * undone, and then answered as the other was: see {@link #recall}.
 */
final class Remembered implements Member {

  private static final String REPLAYED = "Idempotent-Replayed";

  private enum Step {
    LOOK,
    JUDGE,
    WRITE,
    STORED
  }

  private final IdempotencyKeys keys;
  private final String key;
  private final String fingerprint;
  private final Member write;
  private final @Nullable Throwable failure;
  private Step step = Step.LOOK;
  private IdempotencyKeys.@Nullable Stored found;
  private @Nullable Answer answer;

  /**
   * @param fingerprint of all that makes the request what it is
   */
  Remembered(IdempotencyKeys keys, String key, String fingerprint, Member write) {
    this(keys, key, fingerprint, write, null);
  }

  /**
   * @param failure what came of the write, so that it is not to be tried
   */
  private Remembered(
      IdempotencyKeys keys,
      String key,
      String fingerprint,
      Member write,
      @Nullable Throwable failure) {
    this.keys = keys;
    this.key = key;
    this.fingerprint = fingerprint;
    this.write = write;
    this.failure = failure;
  }

  /**
   * Reads a header.
   *
   * @throws RestFailure if it is empty or too long
   */
  static String requireKey(String header) {
    var key = header.strip();
    if (key.isEmpty() || key.length() > IdempotencyKeys.LONGEST) {
      throw RestFailure.malformed(
          "Idempotency-Key has "
              + key.length()
              + " characters; expected 1 to "
              + IdempotencyKeys.LONGEST);
    }
    return key;
  }

  @Override
  public Isolation isolation() {
    return failure == null ? write.isolation() : Isolation.DEFAULT;
  }

  @Override
  public @Nullable Member recall(Throwable problem) {
    return failure == null ? new Remembered(keys, key, fingerprint, write, problem) : null;
  }

  @Override
  public @Nullable String place() {
    return write.place();
  }

  @Override
  public TransactionRun.@Nullable Statement next() {
    if (step == Step.LOOK) {
      step = Step.JUDGE;
      return new Looking();
    }
    if (step == Step.JUDGE) {
      step = Step.WRITE;
      var stored = found;
      if (stored != null && !keys.isExpired(stored)) {
        answer = again(stored);
      } else if (failure != null) {
        throw asUnchecked(failure);
      } else if (stored != null) {
        return new Changing(keys.forget(), Arguments.of(key));
      }
    }
    return answer == null ? write() : null;
  }

  private TransactionRun.@Nullable Statement write() {
    var next = write.next();
    if (next != null) {
      return next;
    }
    var complete = write.answer();
    answer = complete;
    return new Changing(keys.store(), keys.stored(key, fingerprint, complete));
  }

  private static RuntimeException asUnchecked(Throwable failure) {
    return failure instanceof RestFailure refused ? refused : EvitaException.from(failure);
  }

  private Answer again(IdempotencyKeys.Stored stored) {
    if (!stored.fingerprint().equals(fingerprint)) {
      throw new RestFailure(
          422,
          ErrorCode.IDEMPOTENCY_KEY_REUSED,
          "IDEMPOTENCY_KEY_REUSED",
          "Another request had this Idempotency-Key",
          "Method, URL, body or headers are not the same",
          "Use a new key for a new request");
    }
    var first = stored.answer();
    var headers = new LinkedHashMap<>(first.headers());
    headers.put(REPLAYED, "true");
    return new Answer(first.status(), first.contentType(), headers, first.body());
  }

  @Override
  public Answer answer() {
    var known = answer;
    if (known == null) {
      throw new IllegalStateException("it is asked for before all statements have ended");
    }
    return known;
  }

  private final class Looking implements TransactionRun.Statement {
    @Override
    public Prepared prepared() {
      return keys.lookup();
    }

    @Override
    public Arguments arguments() {
      return Arguments.of(key);
    }

    @Override
    public void row(Row row, Quota held) {
      found = keys.read(row);
    }

    @Override
    public void completed(long affected) {}
  }

  private record Changing(Prepared prepared, Arguments arguments)
      implements TransactionRun.Statement {
    @Override
    public void row(Row row, Quota held) {}

    @Override
    public void completed(long affected) {}
  }
}
