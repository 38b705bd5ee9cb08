// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.engine.jdbc.Durability;
import dev.evita.engine.jdbc.JdbcOptions;
import dev.evita.engine.jdbc.Pooler;
import dev.evita.externalapi.core.limits.Description;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The served database and its connection. Each configuration key is a component's name in
 * kebab-case.
 *
 * @param password never part of a message or of {@link #toString}
 */
record DatabaseOptions(
    @Description(
            "The JDBC URL of the database, for example jdbc:h2:file:./shop, jdbc:sqlite:shop.db or"
                + " jdbc:postgresql://localhost/shop.")
        @Nullable String db,
    @Description("The database user.") @Nullable String user,
    @Description(
            "The database password. Set it by environment or file: flags are visible to all users"
                + " of the machine.")
        @Nullable String password,
    @Description(
            "An SQL script to run at each start, before the first request. With it, a missing H2 or"
                + " SQLite file is created.")
        @Nullable Path init,
    @Description("The schemas to serve; empty for all but system schemas.") List<String> schemas,
    @Description(
            "Maximum connections to a database server; embedded databases have one for each thread.")
        int poolSize,
    @Description("Longest wait for a connection to the database.") Duration connectTimeout,
    @Description("Prepared statements cached by each connection.") int statementCacheSize,
    @Description(
            "Failures that an acknowledged write survives: process (kill -9 of this process) or power (loss"
                + " of power). See durability.md.")
        Durability durability,
    @Description("How long to wait at start for a database server that is not up yet.")
        Duration waitForDatabase,
    @Description(
            "The connection pooler in front of a PostgreSQL: transaction if it assigns a connection"
                + " of the server to each transaction, none for no pooler or another mode, auto to"
                + " detect one. See deployment.md.")
        Pooler pooler) {

  static final DatabaseOptions DEFAULT =
      new DatabaseOptions(
          null,
          null,
          null,
          null,
          List.of(),
          JdbcOptions.DEFAULT.poolSize(),
          JdbcOptions.DEFAULT.connectTimeout(),
          JdbcOptions.DEFAULT.statementCacheSize(),
          JdbcOptions.DEFAULT.durability(),
          JdbcOptions.DEFAULT.waitForDatabase(),
          JdbcOptions.DEFAULT.pooler());

  DatabaseOptions {
    schemas = List.copyOf(schemas);
  }

  DatabaseOptions withDb(String url) {
    return new DatabaseOptions(
        url,
        user,
        password,
        init,
        schemas,
        poolSize,
        connectTimeout,
        statementCacheSize,
        durability,
        waitForDatabase,
        pooler);
  }

  /**
   * Returns the engine's options.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_CONFIGURATION} for a value out of range
   */
  JdbcOptions jdbcOptions(boolean createIfAbsent) {
    return JdbcOptions.builder()
        .user(user)
        .password(password)
        .schemas(Set.copyOf(schemas))
        .poolSize(poolSize)
        .connectTimeout(connectTimeout)
        .statementCacheSize(statementCacheSize)
        .createIfAbsent(createIfAbsent)
        .durability(durability)
        .waitForDatabase(waitForDatabase)
        .pooler(pooler)
        .build();
  }

  @Override
  public String toString() {
    return "DatabaseOptions[user=" + user + ", init=" + init + ", schemas=" + schemas + "]";
  }
}
