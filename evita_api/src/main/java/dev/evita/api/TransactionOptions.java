// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.EnumSet;
import java.util.Set;

/** The options of a transaction. */
public record TransactionOptions(Isolation isolation, boolean readOnly) {

  /** The engine's default isolation, for reading and writing. */
  public static final TransactionOptions DEFAULT = new TransactionOptions(Isolation.DEFAULT, false);

  /** The engine's default isolation, for reading. */
  public static final TransactionOptions READ_ONLY =
      new TransactionOptions(Isolation.DEFAULT, true);

  /** The isolation level. */
  public enum Isolation {
    /** The engine's default. */
    DEFAULT,
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE
  }

  /** The capabilities that an engine needs for such a transaction, in the order of the enum. */
  public Set<Capability> requiredCapabilities() {
    var required = EnumSet.of(Capability.TRANSACTIONS);
    if (readOnly) {
      required.add(Capability.READ_ONLY_TRANSACTIONS);
    }
    switch (isolation) {
      case DEFAULT -> {}
      case READ_COMMITTED -> required.add(Capability.READ_COMMITTED);
      case REPEATABLE_READ -> required.add(Capability.REPEATABLE_READ);
      case SERIALIZABLE -> required.add(Capability.SERIALIZABLE);
    }
    return required;
  }
}
