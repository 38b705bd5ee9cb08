// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

/** Nothing was begun, as something is missing that the user can mend: the message says what. */
final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
