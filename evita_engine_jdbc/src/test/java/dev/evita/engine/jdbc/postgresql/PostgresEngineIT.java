// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.DataType;
import dev.evita.api.Engine;
import dev.evita.api.testkit.EngineBehavior;
import dev.evita.api.testkit.SqlEngineTest;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PostgreSQL passes the test kit. */
class PostgresEngineIT extends SqlEngineTest {

  @Override
  protected Engine open() {
    return JdbcEngine.open(PostgresServer.start().createDatabase());
  }

  /** Results come over the network, and external commits are not published. */
  @Override
  public boolean has(EngineBehavior behavior) {
    return behavior != EngineBehavior.IN_PROCESS && behavior != EngineBehavior.WATCH;
  }

  @Override
  public List<String> typeDefinitions() {
    return List.of("create type mood as enum ('sad', 'ok', 'happy')");
  }

  @Override
  public List<String> routineDefinitions() {
    return List.of(
        """
        create function kit_sum(a int, b int) returns int immutable
        language sql as 'select a + b'\
        """,
        """
        create function kit_numbers("to" int) returns table (n int, label text) stable
        language sql as 'select g, ''n'' || g from generate_series(1, "to") g'\
        """,
        """
        create function kit_put(id int, code text) returns int language plpgsql as $$
        begin
          insert into items (id, code, quantity) values (kit_put.id, kit_put.code, 1);
          if code = 'bad' then
            raise exception 'no bad ones';
          end if;
          return id;
        end $$\
        """,
        "create procedure kit_clear() language sql as 'delete from items'",
        """
        create function kit_sly(id int) returns int stable language plpgsql as $$
        begin return kit_put(id, 'sly'); end $$\
        """);
  }

  @Override
  public @Nullable String typeName(DataType type) {
    return PostgresTypes.name(type);
  }

  @Override
  public String computed(String expression) {
    return "integer generated always as (" + expression + ") stored";
  }
}
