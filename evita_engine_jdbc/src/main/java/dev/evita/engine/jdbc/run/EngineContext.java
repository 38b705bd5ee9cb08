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
 * The parts that all executions of one engine share.
 *
 * @param commitLog makes commits durable
 * @param health the engine's health
 * @param runs executions in progress, to be cancelled when the engine is closed
 * @param catalog the current one
 * @param schemaChanged is run after the commit of a script that may have changed the schema
 * @param sameSchema reads the schema again, and returns whether it is certainly still that of an
 *     epoch
 * @param epoch of the catalog for which the executions were prepared
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

  /** Returns the context for executions that are prepared for the catalog of this epoch. */
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
   * Rejects an execution if the database is down, or its storage has failed.
   *
   * @throws EvitaException the reason of {@link Health.Down}
   */
  public void requireUp() {
    if (health.now() instanceof Health.Down(var reason)) {
      throw reason;
    }
  }

  /**
   * Rejects an execution that writes.
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
    requireUp();
    dialect.sessions().commit(connection);
  }

  /** Rolls back, unless the database is lost, and its open transactions with it. */
  void rollback(Connection connection) throws SQLException {
    if (!dialect.sessions().isLost(connection)) {
      dialect.sessions().rollback(connection);
    }
  }

  /**
   * Converts the failure of an unknown name. If the schema is still that for which the statement
   * was prepared, the name is missing in code that the database executes by itself, such as a view
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
