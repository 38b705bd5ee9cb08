// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.DataType;
import dev.evita.api.Engine;
import dev.evita.api.testkit.EngineBehavior;
import dev.evita.api.testkit.SqlEngineTest;
import dev.evita.engine.jdbc.JdbcEngine;
import org.jspecify.annotations.Nullable;

/** SQLite in memory, shared by the engine's connections, passes the test kit. */
final class SqliteMemoryEngineIT extends SqlEngineTest {

  @Override
  protected Engine open() {
    return JdbcEngine.open("jdbc:sqlite::memory:");
  }

  /** In memory there is no write-ahead log, by which others could read meanwhile. */
  @Override
  public boolean has(EngineBehavior behavior) {
    return behavior != EngineBehavior.CONCURRENT_READS && !SqliteBehaviors.LACKS.contains(behavior);
  }

  @Override
  public @Nullable String typeName(DataType type) {
    return SqliteTypes.name(type);
  }

  @Override
  public String identityByDefault() {
    return "integer primary key";
  }
}
