// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Catalog;
import dev.evita.api.ErrorCode;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What all runs of one engine share.
 *
 * @param runs those under way, to be cancelled when the engine closes
 * @param catalog the current one
 * @param schemaChanged is told after a script that may have changed the schema was committed
 */
record Backend(
    Dialect dialect,
    Leases leases,
    JdbcErrors errors,
    Commits commits,
    Set<Run> runs,
    Supplier<Catalog> catalog,
    Runnable schemaChanged) {

  static Set<Run> noRuns() {
    return ConcurrentHashMap.newKeySet();
  }

  void close() {
    runs.forEach(run -> run.cancel(ErrorCode.SHUTTING_DOWN));
    commits.close();
    leases.close();
  }
}
