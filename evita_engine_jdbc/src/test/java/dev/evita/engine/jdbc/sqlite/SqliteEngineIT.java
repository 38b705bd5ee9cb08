// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.DataType;
import dev.evita.api.Engine;
import dev.evita.api.testkit.EngineBehavior;
import dev.evita.api.testkit.SqlEngineTest;
import dev.evita.engine.jdbc.JdbcEngine;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** SQLite in a file passes the test kit. */
final class SqliteEngineIT extends SqlEngineTest {

  @TempDir private static Path directory;

  private int number;

  @Override
  protected Engine open() {
    return JdbcEngine.open("jdbc:sqlite:" + directory.resolve("db" + number++));
  }

  @Override
  public boolean has(EngineBehavior behavior) {
    return !SqliteBehaviors.LACKS.contains(behavior);
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
