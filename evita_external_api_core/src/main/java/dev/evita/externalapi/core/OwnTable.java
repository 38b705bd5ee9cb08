// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.Catalog;
import dev.evita.api.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A table that the server keeps in the database for itself, in the default schema. No API shows it.
 *
 * @param name in lower case; the database may fold it
 * @param script creates it where it is not there, in SQL that all databases understand
 */
public record OwnTable(String name, String script) {

  /** The answers to requests that had an {@code Idempotency-Key}. */
  public static final OwnTable IDEMPOTENCY_KEYS =
      new OwnTable(
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

  private static final List<OwnTable> ALL = List.of(IDEMPOTENCY_KEYS);

  /** Whether it is one of them. */
  static boolean is(Catalog catalog, Table table) {
    return ALL.stream().anyMatch(own -> own.stands(catalog, table));
  }

  private boolean stands(Catalog catalog, Table table) {
    return table.name().schema().equals(catalog.defaultSchema())
        && table.name().table().toLowerCase(Locale.ROOT).equals(name);
  }

  /** The table as it is in the database. */
  public Optional<Table> in(Catalog catalog) {
    return catalog.tables().stream().filter(table -> stands(catalog, table)).findFirst();
  }
}
