// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** The current availability of an engine. */
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

  /** The engine is available, but a part of it is blocked, such as a write to a hanging disk. */
  record Stalled(EvitaException reason) implements Health {}

  /**
   * The engine is unavailable: each execution fails with the reason, at once.
   *
   * @param reason {@code DATABASE_UNREACHABLE}, {@code STORAGE_FAILED} or {@code SHUTTING_DOWN}
   */
  record Down(EvitaException reason) implements Health {}
}
