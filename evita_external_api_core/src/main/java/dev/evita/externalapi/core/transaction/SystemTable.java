// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.Script;
import dev.evita.api.Table;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.core.work.Work;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A table that the server keeps in the database for itself, in the default schema. No API publishes
 * it.
 *
 * @param name in lower case; the database may fold it
 * @param script creates it if it does not exist, in SQL that all databases understand
 */
public record SystemTable(String name, String script) {

  /** The responses to requests with an {@code Idempotency-Key}. */
  public static final SystemTable IDEMPOTENCY_KEYS =
      new SystemTable(
          "evita_idempotency_keys",
          """
          create table if not exists evita_idempotency_keys (
            id varchar(255) primary key,
            fingerprint varchar(64) not null,
            created_ms bigint not null,
            status integer not null,
            content_type varchar(100) not null,
            headers text not null,
            body text not null);
          create index if not exists evita_idempotency_keys_created
            on evita_idempotency_keys (created_ms)
          """);

  /** The names of the gRPC services made from tables, and their field numbers. */
  public static final SystemTable FIELD_NUMBERS =
      new SystemTable(
          "evita_field_numbers",
          """
          create table if not exists evita_field_numbers (
            schema_name varchar(255) not null,
            table_name varchar(255) not null,
            field_number integer not null,
            field_name varchar(1000) not null,
            wire varchar(20) not null,
            field_type varchar(1000) not null,
            field_position integer not null,
            primary key (schema_name, table_name, field_number))
          """);

  /** HTTP handlers in SQL, by name. */
  public static final SystemTable HTTP_HANDLERS =
      new SystemTable(
          "evita_http_handler",
          """
          create table if not exists evita_http_handler (
            name varchar(255) primary key,
            text varchar(100000) not null)
          """);

  private static final List<SystemTable> ALL =
      List.of(IDEMPOTENCY_KEYS, FIELD_NUMBERS, HTTP_HANDLERS);

  /** Whether the table is a system table. */
  public static boolean is(Catalog catalog, Table table) {
    return ALL.stream().anyMatch(own -> own.matches(catalog, table));
  }

  private boolean matches(Catalog catalog, Table table) {
    return table.name().schema().equals(catalog.defaultSchema())
        && table.name().table().toLowerCase(Locale.ROOT).equals(name);
  }

  /**
   * The names of these columns in the database, in the same order; empty if one is missing, as a
   * foreign table has this name.
   */
  public static List<String> columns(Table table, List<String> wanted) {
    var names =
        wanted.stream()
            .flatMap(name ->
                table.columns().stream().map(Column::name).filter(name::equalsIgnoreCase).limit(1))
            .toList();
    return names.size() < wanted.size() ? List.of() : names;
  }

  /** The exception for a foreign table of this name: {@code DATABASE_ERROR}. */
  public static EvitaException lacks(Table table, List<String> wanted) {
    return new EvitaException(
        ErrorCode.DATABASE_ERROR,
        "The table " + table.name().table() + " lacks one of the columns " + wanted);
  }

  /**
   * Creates the table. May block on the engine.
   *
   * @param work on whose behalf it runs, and with which it is cancelled
   * @param outcome receives null on success. "If not exists" does not prevent failures when others
   *     create the table concurrently (PostgreSQL then reports a unique violation, H2 an internal
   *     error): so in any case the catalog must be read again, which shows whether it exists. An
   *     engine without scripts fails with {@code UNSUPPORTED_OPERATION}
   */
  public void create(Work work, Statements statements, Consumer<@Nullable EvitaException> outcome) {
    Prepared creation;
    try {
      creation = statements.prepare(Script.of(script));
    } catch (EvitaException e) {
      outcome.accept(e);
      return;
    }
    creation.run(Arguments.NONE, null, new Creation(work, outcome));
  }

  private record Creation(Work work, Consumer<@Nullable EvitaException> outcome)
      implements RowSink {
    @Override
    public void started(Execution execution) {
      work.started(execution);
    }

    @Override
    public Demand row(Row row) {
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {
      outcome.accept(null);
    }

    @Override
    public void failed(EvitaException problem) {
      outcome.accept(problem);
    }
  }

  /** The table in the database. */
  public Optional<Table> in(Catalog catalog) {
    return catalog.tables().stream().filter(table -> matches(catalog, table)).findFirst();
  }
}
