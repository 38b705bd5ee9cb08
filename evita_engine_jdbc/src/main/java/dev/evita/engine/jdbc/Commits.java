// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.TableName;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells commits made through this engine, in their order.
 *
 * <p>Where somebody listens, a commit and its announcement are one step under a lock, so that the
 * order of the announcements is the order of the commits. Nobody pays for it otherwise. Announced
 * statements therefore never run in autocommit: a statement that waits for a row inside of the lock
 * would wait for a commit that waits for the lock.
 */
final class Commits {

  private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

  private final List<Registered> listeners = new CopyOnWriteArrayList<>();
  private final Object order = new Object();
  private long sequence;

  /** One registration: a listener can have several, each of which ends alone. */
  private static final class Registered {
    final CommitListener listener;

    Registered(CommitListener listener) {
      this.listener = listener;
    }
  }

  /** What commits. */
  @FunctionalInterface
  interface Action {
    void run() throws SQLException;
  }

  boolean watched() {
    return !listeners.isEmpty();
  }

  Engine.Registration watch(CommitListener listener) {
    var own = new Registered(listener);
    listeners.add(own);
    return () -> listeners.remove(own);
  }

  void commit(Set<TableName> tables, Action commit) throws SQLException {
    if (tables.isEmpty() || !watched()) {
      commit.run();
      return;
    }
    synchronized (order) {
      commit.run();
      sequence++;
      for (var registered : listeners) {
        tell(registered.listener, tables);
      }
    }
  }

  private void tell(CommitListener listener, Set<TableName> tables) {
    try {
      listener.committed(sequence, tables);
    } catch (RuntimeException e) {
      LOG.warn("A commit listener failed; the others are still told", e);
    }
  }
}
