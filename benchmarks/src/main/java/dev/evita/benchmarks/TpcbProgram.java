// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * A program that serves the transaction: this project's, and those of the article, each a directory
 * under {@code candidates/tpcb}, with the default pool of its driver.
 */
enum TpcbProgram {
  EVITA("Evita", "", Way.DIRECT),
  EVITA_H2("Evita, H2 in process", "", Way.H2),
  EVITA_H2_SET_BASED("Evita, H2 in process, set-based handler", "", Way.H2),
  EVITA_SET_BASED("Evita, set-based handler", "", Way.DIRECT),
  EVITA_POOLER("Evita, PgBouncer", "", Way.POOLED),
  GO_PGX("Go net/http, pgx", "go_pgx", "github.com/jackc/pgx/v5", Way.DIRECT),
  GO_PGX_UNPREPARED(
      "Go net/http, pgx, unprepared", "go_pgx", "github.com/jackc/pgx/v5", Way.UNPREPARED),
  GO_PGX_POOLER("Go net/http, pgx, PgBouncer", "go_pgx", "github.com/jackc/pgx/v5", Way.POOLED),
  GO_PQ("Go net/http, lib/pq", "go_pq", "github.com/lib/pq", Way.DIRECT),
  ACTIX_SQLX("actix-web, sqlx", "actix_sqlx", "sqlx", Way.DIRECT),
  ACTIX_SQLX_POOLER("actix-web, sqlx, PgBouncer", "actix_sqlx", "sqlx", Way.POOLED),
  AXUM_SQLX("axum, sqlx", "axum_sqlx", "sqlx", Way.DIRECT),
  HYPER_POSTGRES("hyper, tokio-postgres", "hyper_postgres", "tokio-postgres", Way.DIRECT),
  WEBFLUX_R2DBC("Spring WebFlux, R2DBC", "spring_webflux_r2dbc", "r2dbc-postgresql", Way.DIRECT),
  WEBFLUX_R2DBC_POOLER(
      "Spring WebFlux, R2DBC, PgBouncer", "spring_webflux_r2dbc", "r2dbc-postgresql", Way.POOLED),
  EXPRESS_PG("Express, node-postgres", "express_pg", "pg", Way.DIRECT),
  EXPRESS_POSTGRES("Express, porsager/postgres", "express_postgres", "postgres", Way.DIRECT),
  NEXTJS_POSTGRES("Next.js, porsager/postgres", "nextjs_postgres", "postgres", Way.DIRECT),
  FASTAPI_ASYNCPG("FastAPI, asyncpg", "fastapi_asyncpg", "asyncpg", Way.DIRECT),
  FASTAPI_PSYCOPG("FastAPI, psycopg", "fastapi_psycopg", "psycopg", Way.DIRECT),
  FASTAPI_PSYCOPG_POOLER("FastAPI, psycopg, PgBouncer", "fastapi_psycopg", "psycopg", Way.POOLED);

  /** How it reaches its database. */
  private enum Way {
    DIRECT,
    UNPREPARED,
    POOLED,
    H2
  }

  private static final String WEBFLUX_MAIN =
      "dev.evita.candidates.springwebfluxr2dbc.SpringWebfluxR2dbcServer";

  private final String title;
  private final Path directory;
  private final String library;
  private final Way way;

  TpcbProgram(String title, String directory, Way way) {
    this(title, directory, "", way);
  }

  TpcbProgram(String title, String directory, String library, Way way) {
    this.title = title;
    this.directory = Path.of("candidates", "tpcb", directory);
    this.library = library;
    this.way = way;
  }

  String title() {
    return title;
  }

  /** Whether the database runs in its process. */
  boolean embedded() {
    return way == Way.H2;
  }

  boolean pooled() {
    return way == Way.POOLED;
  }

  /** Whether it is one of this project's servers. */
  private boolean ours() {
    return library.isEmpty();
  }

  /** The version of its driver, or of this project. */
  String version() throws IOException {
    return ours() ? Candidate.EVITA.version() : new CandidateBuild(directory).version(library);
  }

  /** Options of the server's command line beside those of all variants. */
  private List<String> options() {
    return switch (this) {
      case EVITA_H2, EVITA_H2_SET_BASED -> List.of("--durability", "power");
      default -> List.of();
    };
  }

  /**
   * Builds and starts it, and returns once it accepts connections. The caller closes it.
   *
   * @param jvm options, if it is a program of Java
   * @param users that are to be served at a time
   * @throws IOException if it cannot be built or started, with the reason
   */
  ServerProcess start(ServerProcess.Cores cores, List<String> jvm, TpcbDatabase database, int users)
      throws IOException, SQLException, InterruptedException {
    if (way == Way.H2) {
      return TpcbServer.start(
          cores, jvm, database.h2(), TpcbServer.onH2(this == EVITA_H2_SET_BASED), users, options());
    }
    if (way == Way.POOLED) {
      Programs.require("pgbouncer");
    }
    var prepared =
        switch (way) {
          case UNPREPARED -> false;
          case POOLED -> PgBouncer.supportsPreparedStatements();
          case DIRECT, H2 -> true;
        };
    var url = database.url(pooled());
    if (ours()) {
      return TpcbServer.start(
          cores,
          jvm,
          TpcbServer.jdbc(url, prepared),
          TpcbServer.onPostgres(this == EVITA_SET_BASED),
          users,
          options());
    }
    var port = ServerProcess.freePort();
    return ServerProcess.program(
        port,
        cores,
        Map.of(
            "PORT",
            String.valueOf(port),
            "DATABASE_URL",
            url.toString(),
            "NODE_ENV",
            "production",
            "PREPARED_STATEMENTS",
            prepared ? "on" : "off"),
        command(jvm, port));
  }

  private List<String> command(List<String> jvm, int port)
      throws IOException, InterruptedException {
    return switch (this) {
      case WEBFLUX_R2DBC, WEBFLUX_R2DBC_POOLER ->
          ServerProcess.candidate(directory, WEBFLUX_MAIN, jvm);
      case FASTAPI_ASYNCPG, FASTAPI_PSYCOPG, FASTAPI_PSYCOPG_POOLER ->
          ServerProcess.with(new CandidateBuild(directory).command(), String.valueOf(port));
      default -> new CandidateBuild(directory).command();
    };
  }
}
