// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.ErrorCode.Category;
import dev.evita.api.EvitaException;

/**
 * Formats a failure for the operator who started the process: with more details than for clients,
 * as causes may contain hosts, paths and SQL.
 */
final class OperatorMessage {

  private static final int LONGEST = 300;

  private OperatorMessage() {}

  static String of(EvitaException failure) {
    var message = failure.publicMessage();
    var reason = reason(failure);
    return reason.isEmpty() || message.contains(reason) ? message : message + " (" + reason + ")";
  }

  /** The first line of the innermost cause that has a message. */
  private static String reason(EvitaException failure) {
    var reason = "";
    for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null && !(cause instanceof EvitaException)) {
        reason = cause.getMessage().lines().findFirst().orElse(reason);
      }
    }
    if (failure.code().category() == Category.INTERNAL) {
      reason = String.valueOf(failure.getCause());
    }
    return reason.length() > LONGEST ? reason.substring(0, LONGEST) + "..." : reason;
  }
}
