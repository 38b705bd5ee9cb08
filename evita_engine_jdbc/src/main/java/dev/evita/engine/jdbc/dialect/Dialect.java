// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Capability;
import java.util.EnumSet;
import java.util.Set;
import org.jooq.SQLDialect;

/**
 * The differences between databases beyond those that jOOQ renders, by concern. Immutable.
 *
 * @param capabilities the engine's capabilities; includes {@link Capability#WATCH} if there are
 *     {@link CatalogAccess#counters}
 */
public record Dialect(
    SQLDialect jooq,
    Set<Capability> capabilities,
    CatalogAccess catalog,
    SessionRules sessions,
    ErrorRules errors,
    ValueExpressions values,
    KeyExpressions keys,
    AggregateExpressions aggregates,
    WriteStatements writes,
    CallStatements calls,
    ScriptRules scripts) {

  public Dialect {
    capabilities = Set.copyOf(capabilities);
  }

  /**
   * Returns all capabilities but those that a database lacks, and {@link Capability#WATCH}, which
   * depends on how it is opened.
   */
  public static Set<Capability> allBut(Capability... lacking) {
    var capabilities = EnumSet.allOf(Capability.class);
    capabilities.remove(Capability.WATCH);
    capabilities.removeAll(Set.of(lacking));
    return capabilities;
  }
}
