// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

/** The connection pooler between this process and a PostgreSQL. */
public enum Pooler {
  /** Detected: a proxy in front of the server is treated as {@link #TRANSACTION}. */
  AUTO,

  /** Assigns a connection of the server to each transaction, as PgBouncer in that mode. */
  TRANSACTION,

  /** No pooler, or one that assigns a connection of the server to each client's connection. */
  NONE
}
