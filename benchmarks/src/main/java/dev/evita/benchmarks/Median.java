// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.util.Collection;

/** The median of several rounds, which tolerates disturbed ones. */
final class Median {

  private Median() {}

  /**
   * The one in the middle; of an even number the mean of the two in the middle.
   *
   * @throws IllegalArgumentException if there is none
   */
  static double of(Collection<? extends Number> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values; a median needs one at least");
    }
    var sorted = values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
    var middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
