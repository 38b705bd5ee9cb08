// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.DataType;
import dev.evita.api.Engine;
import dev.evita.api.testkit.EngineBehavior;
import dev.evita.api.testkit.SqlEngineTest;
import dev.evita.engine.jdbc.JdbcEngine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** H2 in memory passes the test kit. */
final class H2EngineIT extends SqlEngineTest {

  @Override
  protected Engine open() {
    return JdbcEngine.open("jdbc:h2:mem:");
  }

  @Override
  public boolean has(EngineBehavior behavior) {
    return H2Types.has(behavior);
  }

  @Override
  public @Nullable String typeName(DataType type) {
    return H2Types.name(type);
  }

  @Override
  public List<String> routineDefinitions() {
    return H2Aliases.definitions();
  }

  @Override
  public int fractionDigits() {
    return 9;
  }
}
