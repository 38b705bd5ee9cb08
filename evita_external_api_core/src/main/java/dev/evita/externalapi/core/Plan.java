// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

/**
 * What the dispatcher remembers of a compiled request: whether it may still run on an I/O thread.
 *
 * <p>"Bounded" is an estimate. A plan that holds an I/O thread for too long too often is demoted,
 * for as long as it lives, to worker threads. Thread-safe; lost updates do no harm.
 */
public final class Plan {

  private static final int STRIKES = 3;

  private final String name;
  private volatile int strikes;

  /**
   * @param name for the log
   */
  public Plan(String name) {
    this.name = name;
  }

  boolean demoted() {
    return strikes >= STRIKES;
  }

  /** It took longer than an I/O thread can spare. Answers whether that was once too often. */
  boolean overran() {
    var now = strikes + 1;
    strikes = now;
    return now == STRIKES;
  }

  @Override
  public String toString() {
    return name;
  }
}
