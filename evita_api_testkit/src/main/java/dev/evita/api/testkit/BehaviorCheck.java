// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Capability;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;

/**
 * The behaviors that one test depends on.
 *
 * <p>A test that asks for a denied behavior ends there: its operation must fail with {@code
 * UNSUPPORTED_OPERATION}, else the test fails. Thread-safe.
 */
final class BehaviorCheck {

  private final Predicate<EngineBehavior> has;
  private final Set<EngineBehavior> involved = new ConcurrentSkipListSet<>();
  private final Set<EngineBehavior> confirmed = new ConcurrentSkipListSet<>();

  BehaviorCheck(Predicate<EngineBehavior> has) {
    this.has = has;
  }

  /** Begins a test. */
  void reset() {
    involved.clear();
    confirmed.clear();
  }

  boolean supports(EngineBehavior behavior) {
    involved.add(behavior);
    return has.test(behavior);
  }

  /** Returns the denied ones among the behaviors that an operation requires. */
  Set<EngineBehavior> denied(Collection<Capability> required) {
    var denied = new ConcurrentSkipListSet<EngineBehavior>();
    for (var capability : required) {
      var behavior = EngineBehavior.valueOf(capability.name());
      if (!supports(behavior)) {
        denied.add(behavior);
      }
    }
    return denied;
  }

  /**
   * Ends the test, as a denied operation must.
   *
   * @param operation fails with {@code UNSUPPORTED_OPERATION}
   */
  RuntimeException refused(Set<EngineBehavior> denied, String what, Runnable operation) {
    try {
      operation.run();
    } catch (EvitaException e) {
      if (e.code() == ErrorCode.UNSUPPORTED_OPERATION) {
        confirmed.addAll(denied);
        return new DeniedBehavior(denied);
      }
      throw new AssertionError(
          "has() denies " + denied + ": UNSUPPORTED_OPERATION expected, but was " + e.code(), e);
    }
    throw new AssertionError(
        "has() denies "
            + denied
            + ": UNSUPPORTED_OPERATION expected, but the engine accepted "
            + what
            + "; if it is supported, let has() return true");
  }

  /** Whether the engine refused a denied operation as it must, which ends a test. */
  boolean endedByDenial() {
    return !confirmed.isEmpty();
  }

  /** Returns a failure of the test that names the behaviors. */
  Throwable named(Throwable failure) {
    if (involved.isEmpty()
        || !(failure instanceof AssertionError || failure instanceof Exception)) {
      return failure;
    }
    return new AssertionError(
        "behaviors "
            + involved
            + ": "
            + failure.getMessage()
            + System.lineSeparator()
            + "Support them, or deny them in has().",
        failure);
  }

  /** Ends a test whose operation was refused, as it must be. */
  private static final class DeniedBehavior extends RuntimeException {
    private static final long serialVersionUID = 1;

    private DeniedBehavior(Set<EngineBehavior> denied) {
      super("denied and refused: " + denied);
    }
  }
}
