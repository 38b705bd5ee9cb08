// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Comparison;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** PostgREST's operators, by their names in URLs. */
enum Operator {
  EQ(Comparison.EQUAL),
  NEQ(Comparison.NOT_EQUAL),
  GT(Comparison.GREATER),
  GTE(Comparison.GREATER_OR_EQUAL),
  LT(Comparison.LESS),
  LTE(Comparison.LESS_OR_EQUAL),
  LIKE(Comparison.LIKE),
  ILIKE(Comparison.ILIKE),
  MATCH(Comparison.MATCHES),
  IMATCH(Comparison.IMATCHES),
  ISDISTINCT(Comparison.NOT_DISTINCT),
  IN(null),
  IS(null),
  /** Full text, arrays and ranges: known, so that they can be refused by name. */
  FTS(null),
  PLFTS(null),
  PHFTS(null),
  WFTS(null),
  CS(null),
  CD(null),
  OV(null),
  SL(null),
  SR(null),
  NXL(null),
  NXR(null),
  ADJ(null);

  private static final Map<String, Operator> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(Operator::text, Function.identity()));

  private final @Nullable Comparison comparison;

  Operator(@Nullable Comparison comparison) {
    this.comparison = comparison;
  }

  static @Nullable Operator named(String text) {
    return BY_NAME.get(text);
  }

  String text() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** What it is to an engine; null where that takes more than a comparison. */
  @Nullable Comparison comparison() {
    return comparison;
  }

  /** Whether its value is a pattern in which {@code *} stands for {@code %}. */
  boolean takesPattern() {
    return this == LIKE || this == ILIKE;
  }

  /** Whether {@code (any)} and {@code (all)} may follow it. */
  boolean quantifiable() {
    return switch (this) {
      case EQ, LIKE, ILIKE, GT, GTE, LT, LTE, MATCH, IMATCH -> true;
      default -> false;
    };
  }

  boolean supported() {
    return comparison != null || this == IN || this == IS;
  }
}
