// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.engine.jdbc.Durability;
import dev.evita.engine.jdbc.JdbcOptions;
import dev.evita.externalapi.core.limits.Description;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which database is served, and how it is reached. Each key of the configuration is a component's
 * name in kebab-case.
 *
 * @param password stands in no message and in no {@link #toString}
 */
record DatabaseOptions(
    @Description(
            "The JDBC URL of the database, for example jdbc:h2:file:./shop, jdbc:sqlite:shop.db or"
                + " jdbc:postgresql://localhost/shop.")
        @Nullable String db,
    @Description("The database user.") @Nullable String user,
    @Description(
            "The database password. Give it by environment or file: flags are visible to all users"
                + " of the machine.")
        @Nullable String password,
    @Description(
            "An SQL script to run at each start, before the first request. With it, a missing H2 or"
                + " SQLite file is created.")
        @Nullable Path init,
    @Description("The schemas to serve; empty for all that are not the system's.")
        List<String> schemas,
    @Description(
            "Most connections to a database server; embedded databases have one for each thread.")
        int poolSize,
    @Description("Longest wait for a connection to the database.") Duration connectTimeout,
    @Description("Prepared statements that each connection keeps.") int statementCacheSize,
    @Description(
            "What an acknowledged write survives: process (kill -9 of this process) or power (loss"
                + " of power). See durability.md.")
        Durability durability,
    @Description("How long the start waits for a database server that is not up yet.")
        Duration waitForDatabase) {

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
          JdbcOptions.DEFAULT.waitForDatabase());

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
        waitForDatabase);
  }

  /**
   * What the engine is told.
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
        .build();
  }

  @Override
  public String toString() {
    return "DatabaseOptions[user=" + user + ", init=" + init + ", schemas=" + schemas + "]";
  }
}
