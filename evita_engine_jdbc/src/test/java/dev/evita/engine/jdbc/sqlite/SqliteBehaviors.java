// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.testkit.EngineBehavior;
import java.util.Set;

/** Behaviors that SQLite lacks. */
final class SqliteBehaviors {

  static final Set<EngineBehavior> LACKS =
      Set.of(
          EngineBehavior.SCHEMAS,
          EngineBehavior.COMMENTS,
          EngineBehavior.CASE_SENSITIVE_NAMES,
          EngineBehavior.LENGTH_LIMITS,
          EngineBehavior.RANGE_LIMITS,
          EngineBehavior.IDENTITY_ALWAYS,
          EngineBehavior.REGULAR_EXPRESSIONS,
          EngineBehavior.ROUTINES,
          EngineBehavior.ARRAYS,
          EngineBehavior.JSON_CONTAINMENT,
          EngineBehavior.FULL_TEXT,
          EngineBehavior.ENUMERATIONS,
          EngineBehavior.EXACT_DECIMAL,
          EngineBehavior.NATIVE_DATES,
          EngineBehavior.TIME_ZONES,
          EngineBehavior.NOT_A_NUMBER,
          EngineBehavior.NEGATIVE_ZERO,
          EngineBehavior.READ_COMMITTED,
          EngineBehavior.CONCURRENT_TRANSACTIONS,
          EngineBehavior.ARITHMETIC_ERRORS);

  private SqliteBehaviors() {}
}
