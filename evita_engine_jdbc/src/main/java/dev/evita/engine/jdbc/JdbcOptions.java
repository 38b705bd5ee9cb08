// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options by which a database is opened. Immutable.
 *
 * @param user null for the one in the URL, or none
 * @param password null for the one in the URL, or none
 * @param poolSize maximum connections to a remote database, 1 to 1000; embedded ones have one for
 *     each executing thread
 * @param schemas exact names of the schemas to publish; empty for all but system schemas
 * @param statementCacheSize prepared statements cached for each connection, 0 to 10 000
 * @param connectTimeout longest wait for a connection, 1 ms to 10 min
 * @param createIfAbsent whether to create an embedded database that does not exist
 * @param durability the failures that an acknowledged write survives; set or checked when the
 *     database is opened
 * @param waitForDatabase how long to wait at the start for a database server that is not up yet; 0
 *     s to 1 day
 * @param pooler the connection pooler in front of a PostgreSQL
 */
public record JdbcOptions(
    @Nullable String user,
    @Nullable String password,
    int poolSize,
    Set<String> schemas,
    int statementCacheSize,
    Duration connectTimeout,
    boolean createIfAbsent,
    Durability durability,
    Duration waitForDatabase,
    Pooler pooler) {

  /**
   * User and password of the URL, all schemas, ten pooled connections, creates an absent database.
   */
  public static final JdbcOptions DEFAULT = builder().build();

  /**
   * Checks the ranges.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  public JdbcOptions {
    schemas = Set.copyOf(schemas);
    require("pool-size", poolSize, 1, 1000);
    require("statement-cache-size", statementCacheSize, 0, 10_000);
    require("connect-timeout in ms", connectTimeout.toMillis(), 1, 600_000);
    require("wait-for-database in s", waitForDatabase.toSeconds(), 0, 86_400);
  }

  private static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          name + " is " + value + "; expected " + least + " to " + most);
    }
  }

  /** Returns a builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Shows the options without the password. */
  @Override
  public String toString() {
    return ("JdbcOptions[user=%s, poolSize=%d, schemas=%s, statementCacheSize=%d,"
            + " connectTimeout=%s, createIfAbsent=%s, durability=%s, waitForDatabase=%s,"
            + " pooler=%s]")
        .formatted(
            user,
            poolSize,
            schemas,
            statementCacheSize,
            connectTimeout,
            createIfAbsent,
            durability,
            waitForDatabase,
            pooler);
  }

  /** Builds options; not thread-safe. */
  public static final class Builder {
    private @Nullable String user;
    private @Nullable String password;
    private int poolSize = 10;
    private Set<String> schemas = Set.of();
    private int statementCacheSize = 256;
    private Duration connectTimeout = Duration.ofSeconds(10);
    private boolean createIfAbsent = true;
    private Durability durability = Durability.PROCESS;
    private Duration waitForDatabase = Duration.ofSeconds(60);
    private Pooler pooler = Pooler.AUTO;

    private Builder() {}

    public Builder user(@Nullable String name) {
      this.user = name;
      return this;
    }

    public Builder password(@Nullable String secret) {
      this.password = secret;
      return this;
    }

    public Builder poolSize(int connections) {
      this.poolSize = connections;
      return this;
    }

    public Builder schemas(Set<String> names) {
      this.schemas = Set.copyOf(names);
      return this;
    }

    public Builder statementCacheSize(int statements) {
      this.statementCacheSize = statements;
      return this;
    }

    public Builder connectTimeout(Duration timeout) {
      this.connectTimeout = timeout;
      return this;
    }

    public Builder createIfAbsent(boolean create) {
      this.createIfAbsent = create;
      return this;
    }

    public Builder durability(Durability level) {
      this.durability = level;
      return this;
    }

    public Builder waitForDatabase(Duration longest) {
      this.waitForDatabase = longest;
      return this;
    }

    public Builder pooler(Pooler kind) {
      this.pooler = kind;
      return this;
    }

    /**
     * Builds the options.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} for a value out of range
     */
    public JdbcOptions build() {
      return new JdbcOptions(
          user,
          password,
          poolSize,
          schemas,
          statementCacheSize,
          connectTimeout,
          createIfAbsent,
          durability,
          waitForDatabase,
          pooler);
    }
  }
}
