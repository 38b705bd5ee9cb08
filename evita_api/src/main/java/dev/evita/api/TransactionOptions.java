// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** How a transaction is begun. */
public record TransactionOptions(Isolation isolation, boolean readOnly) {

  /** The engine's own isolation, for reading and writing. */
  public static final TransactionOptions DEFAULT = new TransactionOptions(Isolation.DEFAULT, false);

  /** What a transaction sees of others. */
  public enum Isolation {
    /** As the engine is set up. */
    DEFAULT,
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE
  }
}
