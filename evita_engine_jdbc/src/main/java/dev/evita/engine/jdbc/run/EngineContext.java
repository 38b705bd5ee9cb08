// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Catalog;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.engine.jdbc.connection.Leases;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.health.CommitLog;
import dev.evita.engine.jdbc.health.DatabaseHealth;
import dev.evita.engine.jdbc.health.Timer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * What all runs of one engine share.
 *
 * @param commitLog makes commits durable
 * @param health what the engine can serve
 * @param runs those under way, to be cancelled when the engine closes
 * @param catalog the current one
 * @param schemaChanged is run after a script that may have changed the schema was committed
 * @param sameSchema reads the schema again, and answers whether it surely is still that of an epoch
 * @param epoch of the catalog that the runs were prepared for
 */
public record EngineContext(
    Dialect dialect,
    Leases leases,
    JdbcErrors errors,
    CommitFeed commits,
    CommitLog commitLog,
    DatabaseHealth health,
    Timer timer,
    Set<JdbcExecution> runs,
    Supplier<Catalog> catalog,
    Runnable schemaChanged,
    LongPredicate sameSchema,
    long epoch) {

  public static Set<JdbcExecution> noRuns() {
    return ConcurrentHashMap.newKeySet();
  }

  /** The same for runs that are prepared for the catalog of this epoch. */
  public EngineContext of(long newEpoch) {
    return new EngineContext(
        dialect,
        leases,
        errors,
        commits,
        commitLog,
        health,
        timer,
        runs,
        catalog,
        schemaChanged,
        sameSchema,
        newEpoch);
  }

  /**
   * Refuses a run where the database does not answer, or its storage has failed.
   *
   * @throws EvitaException the reason of {@link Health.Down}
   */
  public void requireAnswering() {
    if (health.now() instanceof Health.Down(var reason)) {
      throw reason;
    }
  }

  /**
   * Refuses a run that writes.
   *
   * @throws EvitaException the reason of {@link Health.ReadOnly}
   */
  void requireWritable() {
    if (health.now() instanceof Health.ReadOnly(var reason)) {
      throw reason;
    }
  }

  /** Commits, unless the storage has failed meanwhile: then the transaction is lost. */
  void commit(Connection connection) throws SQLException {
    requireAnswering();
    dialect.sessions().commit(connection);
  }

  /** Rolls back, unless the database is lost, and its open transactions with it. */
  void rollback(Connection connection) throws SQLException {
    if (!dialect.sessions().isLost(connection)) {
      dialect.sessions().rollback(connection);
    }
  }

  /**
   * The failure as it is told where a name was not found. If the schema is still that for which the
   * statement was prepared, the name is missing in what the database runs by itself, such as a view
   * or a trigger, and no retry will find it.
   */
  EvitaException lasting(EvitaException failure) {
    var named =
        failure.code() == ErrorCode.CATALOG_CHANGED && failure.getCause() instanceof SQLException;
    return named && sameSchema.test(epoch) ? errors.lasting(failure) : failure;
  }

  public void close() {
    runs.forEach(run -> run.cancel(ErrorCode.SHUTTING_DOWN));
    health.close();
    commits.close();
    commitLog.close();
    leases.close();
    timer.close();
  }
}
