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
 * Probes a database behind a socket: one probe at a time, on a thread of its own.
 *
 * <pre>
 * UP --probe fails, or has no response after {@link #LONGEST}--> DOWN
 * ^--------------------- probe succeeds ------------------------'
 * </pre>
 *
 * <p>So the state follows the database within {@link #BETWEEN} and {@link #LONGEST} together.
 */
public final class Probe implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Probe.class);

  /** The timeout of a response, unless the target has another one. */
  public static final Duration LONGEST = Duration.ofSeconds(1);

  private static final Duration BETWEEN = Duration.ofMillis(500);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** A probe of the database; may block. */
  public interface Target extends AutoCloseable {

    /** Prepares the probe; its duration does not indicate the state of the database. */
    default void prepare() throws SQLException {}

    /** The timeout of {@link #query}. */
    default Duration longest() {
      return LONGEST;
    }

    /** Returns once the database has responded. */
    void query() throws SQLException;

    /** Aborts a probe without a response, from another thread. */
    void abort();

    /** Releases resources kept between probes. */
    @Override
    void close();
  }

  private final Target target;
  private final JdbcErrors errors;
  private final Timer timer;
  private final Runnable down;
  private final Thread thread;
  private volatile Health health = Health.UP;
  private volatile long startedNanos;
  private volatile boolean closed;
  private long downNanos;

  /**
   * Starts probing.
   *
   * @param down is run when the database is found to be down; must not block
   */
  public Probe(Target target, JdbcErrors errors, Timer timer, Runnable down) {
    this.target = target;
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
        target.prepare();
        startedNanos = System.nanoTime() | 1;
        target.query();
        responded();
      } catch (SQLException | RuntimeException e) {
        failed(e);
      }
      startedNanos = 0;
      LockSupport.parkNanos(BETWEEN.toNanos());
    }
    target.close();
  }

  /** Checks on the timer's thread whether the response is overdue. */
  private void look() {
    if (closed) {
      return;
    }
    var started = startedNanos;
    var longest = target.longest();
    if (started != 0 && System.nanoTime() - started > longest.toNanos()) {
      failed(new SQLException("no response within " + longest.toMillis() + " ms", "08006"));
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
              new EvitaException(ErrorCode.DATABASE_UNREACHABLE, fault + "; retry later", e));
    }
    LOG.warn("{}; requests are rejected until it does", fault, e);
    down.run();
  }

  private static String fault(EvitaException problem) {
    return problem.code() == ErrorCode.POOL_EXHAUSTED
        ? "The database has reached its connection limit"
        : "The database does not respond";
  }

  private void responded() {
    synchronized (this) {
      if (!(health instanceof Health.Down)) {
        return;
      }
      health = Health.UP;
    }
    var millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - downNanos);
    LOG.warn("The database responds again after {} ms", millis);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      if (!thread.join(Duration.ofMillis(200))) {
        target.abort();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
