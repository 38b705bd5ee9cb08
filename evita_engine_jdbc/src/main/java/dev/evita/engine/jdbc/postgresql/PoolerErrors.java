// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Classifies errors of PgBouncer itself, which reports most of them by one SQLSTATE. */
public final class PoolerErrors {

  private static final String PROTOCOL_VIOLATION = "08P01";

  private PoolerErrors() {}

  /** The remedy for an error that no retry changes; null if it is none, or not of a pooler. */
  public static @Nullable String remedy(SQLException failure) {
    if (!PROTOCOL_VIOLATION.equals(failure.getSQLState())) {
      return null;
    }
    var message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    if (isUnsupportedParameter(failure)) {
      return "the pooler refuses the startup parameter "
          + message.substring(message.lastIndexOf(' ') + 1)
          + "; omit it from the URL, and set it for the role";
    }
    if (message.contains("authentication failed") || message.contains("no such user")) {
      return "the pooler refuses the user name or password; check both";
    }
    if (message.contains("statement pooling mode")) {
      return "the pooler's mode has no transactions; set pool_mode = transaction";
    }
    return message.contains("no such database") || message.contains("does not exist")
        ? "the database does not exist, or not in the pooler's configuration; check its name"
        : null;
  }

  /** Whether the URL sets a parameter of the session, which the pooler refuses. */
  public static boolean isUnsupportedParameter(SQLException failure) {
    return has(failure, "unsupported startup parameter");
  }

  /** Whether the pooler accepts no more clients. */
  public static boolean isClientLimit(SQLException failure) {
    return has(failure, "no more connections allowed");
  }

  /** Whether the pooler, or the server behind it, has no connection left. */
  static boolean isExhausted(SQLException failure) {
    return isClientLimit(failure) || has(failure, "query_wait_timeout");
  }

  private static boolean has(SQLException failure, String words) {
    return PROTOCOL_VIOLATION.equals(failure.getSQLState())
        && String.valueOf(failure.getMessage()).contains(words);
  }
}
