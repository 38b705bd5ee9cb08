// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** The options of a transaction. */
public record TransactionOptions(Isolation isolation, boolean readOnly) {

  /** The engine's default isolation, for reading and writing. */
  public static final TransactionOptions DEFAULT = new TransactionOptions(Isolation.DEFAULT, false);

  /** The isolation level. */
  public enum Isolation {
    /** The engine's default. */
    DEFAULT,
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE
  }
}
