// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Engine;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PgBouncer;
import org.junit.jupiter.api.Tag;

/** PostgreSQL passes the test kit behind a pooler that assigns connections to transactions. */
@Tag("tools")
final class PoolerEngineIT extends PostgresEngineIT {

  @Override
  protected Engine open() {
    return JdbcEngine.open(PgBouncer.start().createDatabase());
  }
}
