// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.List;

/**
 * SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): the same
 * demo on every machine and every JDK.
 */
final class DemoRandom {

  private long state;

  DemoRandom(long seed) {
    state = seed;
  }

  private long next() {
    state += 0x9e3779b97f4a7c15L;
    var mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** From 0 to bound - 1. */
  int below(int bound) {
    return (int) Long.remainderUnsigned(next(), bound);
  }

  /** From least to most. */
  int between(int least, int most) {
    return least + below(most - least + 1);
  }

  /** From 0 to bound - 1, small numbers more often, for skewed popularity. */
  int skewed(int bound) {
    return (int) ((long) below(bound) * below(bound) / bound);
  }

  <T> T pick(List<T> from) {
    return from.get(below(from.size()));
  }
}
