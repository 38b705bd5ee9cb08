// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.util.List;
import java.util.Set;

/**
 * Rejects the statements of scripts whose effect lasts beyond a transaction, in the session: behind
 * a pooler they would apply to other clients, and not to the next transaction.
 */
final class SessionStatements {

  private static final Set<String> WORDS =
      Set.of("RESET", "LISTEN", "UNLISTEN", "PREPARE", "EXECUTE", "DEALLOCATE", "DISCARD", "LOAD");

  /** What may follow {@code set}. */
  private static final Set<String> OF_TRANSACTION = Set.of("LOCAL", "TRANSACTION", "CONSTRAINTS");

  private static final Set<String> TEMPORARY = Set.of("TEMP", "TEMPORARY");

  /** What may precede them. */
  private static final Set<String> BEFORE_TEMPORARY = Set.of("OR", "REPLACE", "GLOBAL", "LOCAL");

  private SessionStatements() {}

  /**
   * Checks a script, as far as its text shows.
   *
   * @param parts with their words
   * @throws EvitaException {@code UNSUPPORTED_OPERATION}
   */
  static void reject(List<ScriptSplitter.Part> parts) {
    for (int i = 0; i < parts.size(); i++) {
      var part = parts.get(i);
      if (lasts(part)) {
        throw refused(
            i + 1,
            part.keyword() + " applies to a session",
            "use set local in a transaction, or set it for the role");
      }
      if (NativeStatement.outlivesTransaction(part)) {
        throw refused(
            i + 1,
            "a setting or lock applies to a session",
            "call set_config with true at its end, or pg_advisory_xact_lock");
      }
      if (isTemporary(part)) {
        throw refused(
            i + 1, "a temporary relation belongs to a session", "use a table with on commit drop");
      }
      if (part.keyword().equals("DECLARE") && has(part, "WITH", "HOLD")) {
        throw refused(i + 1, "a cursor with hold belongs to a session", "omit with hold");
      }
    }
  }

  private static EvitaException refused(int number, String fault, String remedy) {
    return new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION,
        "Statement %d: %s, which a transaction pooler does not keep; %s"
            .formatted(number, fault, remedy));
  }

  private static boolean lasts(ScriptSplitter.Part part) {
    return WORDS.contains(part.keyword())
        || (part.keyword().equals("SET") && !OF_TRANSACTION.contains(word(part, 1)));
  }

  private static String word(ScriptSplitter.Part part, int index) {
    return index < part.words().size() ? part.words().get(index).text() : "";
  }

  private static boolean isTemporary(ScriptSplitter.Part part) {
    if (part.createsTable()) {
      return has(part, "INTO", "TEMP") || has(part, "INTO", "TEMPORARY");
    }
    if (!part.keyword().equals("CREATE") || has(part, "COMMIT", "DROP")) {
      return false;
    }
    var kind = 1;
    while (BEFORE_TEMPORARY.contains(word(part, kind))) {
      kind++;
    }
    return TEMPORARY.contains(word(part, kind)) || word(part, kind + 1).equals("PG_TEMP");
  }

  /** Whether two words follow one another. */
  private static boolean has(ScriptSplitter.Part part, String first, String second) {
    for (int i = 0; i < part.words().size(); i++) {
      if (word(part, i).equals(first) && word(part, i + 1).equals(second)) {
        return true;
      }
    }
    return false;
  }
}
