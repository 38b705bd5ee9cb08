// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.DataType;
import dev.evita.api.Engine;
import dev.evita.api.testkit.BaseEngineTest;
import dev.evita.api.testkit.EngineBehavior;
import dev.evita.api.testkit.PostgresServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PostgreSQL passes the test kit. */
final class PostgresEngineIT extends BaseEngineTest {

  @Override
  protected Engine open() {
    return JdbcEngine.open(PostgresServer.start().createDatabase());
  }

  /** Answers come over the network, and other clients' commits are not told. */
  @Override
  public boolean has(EngineBehavior behavior) {
    return behavior != EngineBehavior.IN_PROCESS && behavior != EngineBehavior.WATCH;
  }

  @Override
  public List<String> typeDefinitions() {
    return List.of("create type mood as enum ('sad', 'ok', 'happy')");
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
