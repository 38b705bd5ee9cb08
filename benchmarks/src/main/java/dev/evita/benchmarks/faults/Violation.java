// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

/**
 * A promise that the server did not keep.
 *
 * @param detail the operation or the time, and what was found
 */
record Violation(Kind kind, String detail) {

  /** The broken promise. */
  enum Kind {
    /** An acknowledged write, or one that a read returned, has no rows. */
    LOST,
    /** A write is there twice. */
    DUPLICATE,
    /** Some rows of a write are there, others are not. */
    HALF,
    /** A row of a write that nobody requested. */
    FOREIGN,
    /** A write is there of which every answer said that nothing was written. */
    REFUSED_BUT_KEPT,
    /** A counter differs from the number of writes that incremented it. */
    COUNTER,
    /** A request was not answered within its deadline. */
    LATE,
    /** A status that no fault explains, such as 400 or 500. */
    UNEXPECTED_ANSWER,
    /** An answer holds a class name, a path or the identity of an object. */
    DISCLOSURE,
    /** The readiness probe contradicts what clients observed. */
    READINESS,
    /** A full disk was not noticed, or writes went on after it without a restart. */
    STORAGE,
    /** No write was acknowledged for too long after the end of a fault. */
    NOT_RECOVERED,
    /** A fault met nothing, so that nothing was tested. */
    NOT_STRUCK,
    /** The server did not stop on SIGTERM with status 143, or did not start. */
    LIFECYCLE
  }

  @Override
  public String toString() {
    return kind + ": " + detail;
  }
}
