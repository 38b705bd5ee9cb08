// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Engine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * The suite that every engine must pass.
 *
 * <p>The author of an engine extends it, opens an engine over an empty database, provides the types
 * for DDL and denies the behaviors that the database lacks. A single test can be overridden, with a
 * comment on the reason. One engine is opened for the class; its tables are created through {@code
 * Script} operations.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
public abstract class BaseEngineTest
    implements CatalogSuite,
        SelectSuite,
        OrderSuite,
        NestedSuite,
        AggregateSuite,
        RelatedSuite,
        WriteSuite,
        TransactionSuite,
        ScriptSuite,
        SinkSuite,
        ValueSuite,
        NestedValueSuite,
        CastSuite,
        ErrorSuite,
        RoutineSuite,
        NativeQuerySuite,
        LifecycleSuite {

  private @Nullable EngineDriver driver;
  private @Nullable Shop shop;

  /** Opens an engine over a fresh, empty database. The test kit closes it. */
  protected abstract Engine open();

  @Override
  public final Engine openAnother() {
    return open();
  }

  @BeforeAll
  final void createShop() {
    driver = new EngineDriver(open());
    shop = new Shop(this, driver);
    shop.create();
  }

  @BeforeEach
  final void cleanShop() {
    shop().clean();
  }

  @AfterAll
  final void closeEngine() {
    if (driver != null) {
      driver.engine().close();
    }
  }

  @Override
  public final EngineDriver db() {
    if (driver == null) {
      throw new IllegalStateException("the engine opens before the first test");
    }
    return driver;
  }

  @Override
  public final Shop shop() {
    if (shop == null) {
      throw new IllegalStateException("the tables are made before the first test");
    }
    return shop;
  }
}
