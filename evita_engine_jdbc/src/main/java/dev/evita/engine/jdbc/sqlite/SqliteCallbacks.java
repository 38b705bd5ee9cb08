// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.engine.jdbc.health.StorageWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.sqlite.BusyHandler;
import org.sqlite.ProgressHandler;

/**
 * SQLite's callbacks during a statement. They distinguish a statement that computes or waits for
 * the lock of another connection from one blocked by a disk, which causes no callbacks.
 */
public final class SqliteCallbacks {

  /** Instructions of SQLite's virtual machine between two callbacks, some 0.1 to 1 ms. */
  private static final int INSTRUCTIONS = 10_000;

  /** The delays between attempts to get a lock, as in SQLite's own {@code busy_timeout}. */
  private static final int[] PAUSE_MILLIS = {1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100};

  private SqliteCallbacks() {}

  /**
   * Installs the callbacks.
   *
   * @param longestWait for a lock; replaces the connection's {@code busy_timeout}
   * @param writer receives the progress
   */
  public static void install(
      Connection connection, Duration longestWait, StorageWatch.Writer writer) throws SQLException {
    BusyHandler.setHandler(connection, new LockWait(longestWait, writer));
    ProgressHandler.setHandler(connection, INSTRUCTIONS, new Progress(writer));
  }

  private static final class Progress extends ProgressHandler {
    private final StorageWatch.Writer writer;

    Progress(StorageWatch.Writer writer) {
      this.writer = writer;
    }

    @Override
    protected int progress() {
      writer.progress();
      return 0; // resume the statement
    }
  }

  private static final class LockWait extends BusyHandler {
    private final Duration longest;
    private final StorageWatch.Writer writer;
    private long sinceNanos;

    LockWait(Duration longest, StorageWatch.Writer writer) {
      this.longest = longest;
      this.writer = writer;
    }

    @Override
    protected int callback(int attempts) {
      writer.progress();
      var now = System.nanoTime();
      if (attempts == 0) {
        sinceNanos = now;
      }
      var left = longest.toNanos() - (now - sinceNanos);
      var pause = PAUSE_MILLIS[Math.min(attempts, PAUSE_MILLIS.length - 1)];
      return left > 0 && slept(Math.min(left, TimeUnit.MILLISECONDS.toNanos(pause))) ? 1 : 0;
    }

    private static boolean slept(long nanos) {
      try {
        TimeUnit.NANOSECONDS.sleep(nanos);
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
