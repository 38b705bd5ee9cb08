// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

/** A fault of the server, its database, or the connections between them. */
enum Fault {
  /** SIGKILL to the server, which is started again. */
  KILL_SERVER(Effect.SERVER_AWAY),
  /** SIGTERM to the server, which is started again. */
  RESTART_SERVER(Effect.SERVER_AWAY),
  /** SIGSTOP to the server, then SIGCONT. */
  SUSPEND_SERVER(Effect.SERVER_AWAY),
  /** Connections of clients are reset, whatever they do. */
  CUT_CLIENTS(Effect.CLIENTS_CUT),
  /** Connections of clients are reset before a request has reached the server. */
  CUT_REQUESTS(Effect.CLIENTS_CUT),
  /** Connections of clients are reset before an answer has reached the client. */
  CUT_ANSWERS(Effect.CLIENTS_CUT),
  /** Traffic between clients and server is delayed. */
  DELAY_CLIENTS(Effect.CLIENTS_CUT),
  /** Traffic between clients and server is lost. */
  LOSE_CLIENT_BYTES(Effect.CLIENTS_CUT),
  /** A column and a table are added and removed. */
  CHANGE_SCHEMA(Effect.DISTURBANCE),
  /** The file system of an embedded database has no space left. */
  FULL_DISK(Effect.STORAGE_AWAY),
  /** The file system of a database server has no space left: it keeps its own rules. */
  FULL_DISK_OF_SERVER(Effect.DISTURBANCE),
  /** SIGKILL to all processes of the database, which is started again. */
  KILL_DATABASE(Effect.DATABASE_AWAY),
  /** The database is shut down and started again. */
  RESTART_DATABASE(Effect.DATABASE_AWAY),
  /** SIGSTOP to all processes of the database, then SIGCONT. */
  SUSPEND_DATABASE(Effect.DATABASE_AWAY),
  /** SIGSTOP to one process of the database that serves a connection, then SIGCONT. */
  SUSPEND_BACKEND(Effect.DISTURBANCE),
  /** The database ends all connections. */
  TERMINATE_BACKENDS(Effect.DISTURBANCE),
  /** Connections to the database are reset before a message has reached it. */
  CUT_STATEMENTS(Effect.DISTURBANCE),
  /** Connections to the database are reset before COMMIT has reached it. */
  CUT_COMMITS(Effect.DISTURBANCE),
  /** Connections to the database are reset before its answer to COMMIT has reached the server. */
  CUT_COMMIT_ANSWERS(Effect.DISTURBANCE),
  /** Traffic between server and database is delayed. */
  DELAY_DATABASE(Effect.DISTURBANCE),
  /** Traffic between server and database is lost. */
  LOSE_DATABASE_BYTES(Effect.DATABASE_AWAY);

  /** The permitted and the required effects. */
  enum Effect {
    /** No answers: neither to requests nor to probes. */
    SERVER_AWAY,
    /** Requests by way of the proxy fail; all others are served, and readiness is UP. */
    CLIENTS_CUT,
    /** Requests may fail. */
    DISTURBANCE,
    /** Readiness is DOWN from when the first write has failed on. */
    STORAGE_AWAY,
    /** Readiness is DOWN from two seconds after the beginning on. */
    DATABASE_AWAY
  }

  private final Effect effect;

  Fault(Effect effect) {
    this.effect = effect;
  }

  Effect effect() {
    return effect;
  }
}
