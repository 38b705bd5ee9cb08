// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** What an engine can serve at the moment. */
public sealed interface Health {

  /** The engine reads and writes. */
  Health UP = new Up();

  /** The engine reads and writes. */
  record Up() implements Health {}

  /**
   * The engine reads; each write fails with the reason.
   *
   * @param reason {@code STORAGE_FAILED}
   */
  record ReadOnly(EvitaException reason) implements Health {}

  /**
   * The engine serves what it can, but something in it does not come back, such as a write to a
   * disk that hangs.
   */
  record Stalled(EvitaException reason) implements Health {}

  /**
   * The engine does neither: each run fails with the reason, at once.
   *
   * @param reason {@code DATABASE_UNREACHABLE}, {@code STORAGE_FAILED} or {@code SHUTTING_DOWN}
   */
  record Down(EvitaException reason) implements Health {}
}
