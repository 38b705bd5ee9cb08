// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.health;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a database behind a socket whether it answers: one question at a time, on a thread of its
 * own.
 *
 * <pre>
 *   UP --question fails, or has no answer after {@link #LONGEST}--> DOWN
 *    ^--------------------- question is answered ------------------'
 * </pre>
 *
 * <p>So the state follows the database within {@link #BETWEEN} and {@link #LONGEST} together.
 */
public final class Probe implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Probe.class);

  /** How long an answer may take. */
  public static final Duration LONGEST = Duration.ofSeconds(1);

  private static final Duration BETWEEN = Duration.ofMillis(500);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Asks the database; may block. */
  public interface Question extends AutoCloseable {

    /** Prepares the question; how long that takes says nothing about the database. */
    default void prepare() throws SQLException {}

    /** Returns once the database has answered. */
    void ask() throws SQLException;

    /** Ends a question that is not answered, from another thread. */
    void abort();

    /** Gives up what is kept between questions. */
    @Override
    void close();
  }

  private final Question question;
  private final JdbcErrors errors;
  private final Timer timer;
  private final Runnable down;
  private final Thread thread;
  private volatile Health health = Health.UP;
  private volatile long askedNanos;
  private volatile boolean closed;
  private long downNanos;

  /**
   * Starts asking.
   *
   * @param down is run when the database is found not to answer; must not block
   */
  public Probe(Question question, JdbcErrors errors, Timer timer, Runnable down) {
    this.question = question;
    this.errors = errors;
    this.timer = timer;
    this.down = down;
    this.thread = Thread.ofPlatform().daemon().name("evita-probe").start(this::run);
    timer.after(LOOK, this::look);
  }

  Health health() {
    return health;
  }

  private void run() {
    while (!closed) {
      try {
        question.prepare();
        askedNanos = System.nanoTime() | 1;
        question.ask();
        answered();
      } catch (SQLException | RuntimeException e) {
        failed(e);
      }
      askedNanos = 0;
      LockSupport.parkNanos(BETWEEN.toNanos());
    }
    question.close();
  }

  /** On the timer's thread: whether the answer is overdue. */
  private void look() {
    if (closed) {
      return;
    }
    var asked = askedNanos;
    if (asked != 0 && System.nanoTime() - asked > LONGEST.toNanos()) {
      failed(new SQLException("no answer within " + LONGEST.toMillis() + " ms", "08006"));
    }
    timer.after(LOOK, this::look);
  }

  private void failed(Exception e) {
    var fault = fault(errors.translate(e));
    synchronized (this) {
      if (closed || health instanceof Health.Down) {
        return;
      }
      downNanos = System.nanoTime();
      health =
          new Health.Down(
              new EvitaException(
                  ErrorCode.DATABASE_UNREACHABLE, fault + "; try again in a moment", e));
    }
    LOG.warn("{}; requests are refused until it does", fault, e);
    down.run();
  }

  private static String fault(EvitaException problem) {
    return problem.code() == ErrorCode.POOL_EXHAUSTED
        ? "The database accepts no connection, as its limit is reached"
        : "The database does not answer";
  }

  private void answered() {
    synchronized (this) {
      if (!(health instanceof Health.Down)) {
        return;
      }
      health = Health.UP;
    }
    var millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - downNanos);
    LOG.warn("The database answers again after {} ms", millis);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      if (!thread.join(Duration.ofMillis(200))) {
        question.abort();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
