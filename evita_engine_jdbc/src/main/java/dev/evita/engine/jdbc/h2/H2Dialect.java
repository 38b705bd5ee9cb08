// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.Capability;
import dev.evita.engine.jdbc.dialect.Dialect;
import org.jooq.SQLDialect;

/**
 * H2, embedded or served.
 *
 * <p>Measured ways to pass 20 keys (H2 2.5.252, primary key of {@code bigint}, 2 cores): {@code =
 * any(?)} with an array 6.9 us; 20 placeholders 11.1 us; a join with {@code unnest(?)} 12.1 us;
 * {@code in (select ... from unnest(?))} 242 us, as it uses no index. So single-column keys are
 * passed by {@code any}, composite keys by the join.
 */
public final class H2Dialect {

  private H2Dialect() {}

  /**
   * Returns the dialect.
   *
   * @param embedded whether the database runs in this process
   */
  public static Dialect of(boolean embedded) {
    var capabilities =
        Dialect.allBut(
            Capability.REGULAR_EXPRESSIONS, Capability.JSON_CONTAINMENT, Capability.FULL_TEXT);
    if (!embedded) {
      capabilities.remove(Capability.IN_PROCESS);
    }
    return new Dialect(
        SQLDialect.H2,
        capabilities,
        new H2CatalogAccess(),
        new H2Sessions(embedded),
        new H2Errors(),
        new H2Values(),
        new H2Keys(),
        new H2Aggregates(),
        new H2Writes(),
        new H2Calls(),
        new H2Scripts());
  }
}
