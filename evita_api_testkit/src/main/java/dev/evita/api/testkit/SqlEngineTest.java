// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Engine;

/**
 * The suite for engines that run {@code Script} operations in SQL: the tables are created by SQL.
 *
 * <p>The author provides the types for DDL, and overrides what differs from standard SQL.
 */
public abstract class SqlEngineTest extends BaseEngineTest implements EngineDialect {

  @Override
  protected EngineFixture fixture(Engine engine) {
    return new SqlFixture(this, engine);
  }
}
