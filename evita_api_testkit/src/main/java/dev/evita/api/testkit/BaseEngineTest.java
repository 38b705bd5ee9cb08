// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Engine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The suite that every engine must pass.
 *
 * <p>The author of an engine extends it, opens an engine over an empty database, creates tables in
 * it by a fixture and denies the behaviors that the engine or its database lacks. {@link
 * SqlEngineTest} has the fixture for engines of SQL. A single test can be overridden, with a
 * comment on the reason. One engine is opened for the class.
 *
 * <p>No test is skipped. A test that asks for a denied behavior ends there, once the engine has
 * refused the operation with {@code UNSUPPORTED_OPERATION}. A failure names the behaviors that the
 * test depends on.
 */
@ExtendWith(BehaviorExtension.class)
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

  private @Nullable BehaviorCheck check;
  private @Nullable EngineDriver driver;
  private @Nullable EngineFixture fixture;
  private @Nullable Shop shop;

  /** Opens an engine over a fresh, empty database. The test kit closes it. */
  protected abstract Engine open();

  /**
   * The means to create tables and rows in the database of an engine.
   *
   * @param engine one that {@link #open} has returned
   */
  protected abstract EngineFixture fixture(Engine engine);

  /** Whether the engine and its database have a behavior. True unless overridden. */
  public boolean has(EngineBehavior behavior) {
    return true;
  }

  @Override
  public final boolean supports(EngineBehavior behavior) {
    return check().supports(behavior);
  }

  final BehaviorCheck check() {
    if (check == null) {
      throw new IllegalStateException("the engine opens before the first test");
    }
    return check;
  }

  @Override
  public final EngineFixture fixtureOf(Engine engine) {
    return fixture(engine);
  }

  @Override
  public final Engine openAnother() {
    return open();
  }

  @BeforeAll
  final void createShop() {
    check = new BehaviorCheck(this::has);
    driver = new EngineDriver(open(), check);
    fixture = fixture(driver.engine());
    shop = new Shop(this::has, fixture, driver);
    shop.create();
  }

  @BeforeEach
  final void cleanShop() {
    shop().clean();
    check().reset();
  }

  @AfterEach
  final void endTransactions() {
    db().rollBackAll();
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
  public final EngineFixture fixture() {
    if (fixture == null) {
      throw new IllegalStateException("the fixture is created before the first test");
    }
    return fixture;
  }

  @Override
  public final Shop shop() {
    if (shop == null) {
      throw new IllegalStateException("the tables are made before the first test");
    }
    return shop;
  }
}
