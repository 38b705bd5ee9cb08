// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Engine;
import dev.evita.api.testkit.BaseEngineTest;
import dev.evita.api.testkit.EngineBehavior;
import dev.evita.api.testkit.EngineFixture;

/** The tutorial's engine passes the test kit. */
final class MemoryEngineTest extends BaseEngineTest {

  @Override
  protected Engine open() {
    return new MemoryEngine();
  }

  @Override
  protected EngineFixture fixture(Engine engine) {
    return new MemoryFixture((MemoryEngine) engine);
  }

  @Override
  public boolean has(EngineBehavior behavior) {
    return switch (behavior) {
      case CASE_SENSITIVE_NAMES, COMMENTS, DEFAULTS -> true;
      case EXACT_DECIMAL, NATIVE_DATES, NOT_A_NUMBER, NEGATIVE_ZERO -> true;
      case LIKE, COLUMN_COMPARISONS, OFFSET -> true;
      case INSERT, UPDATE, INCREMENT, DELETE, RETURNING, DEFAULT_IN_ROWS -> true;
      case TRANSACTIONS, SAVEPOINTS, READ_ONLY_TRANSACTIONS -> true;
      case REPEATABLE_READ, SERIALIZABLE, CONCURRENT_READS -> true;
      case IN_PROCESS, WATCH -> true;
      default -> false;
    };
  }
}
