// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** PostgREST's operators, by their names in URLs. */
public enum Operator {
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
  CS(Comparison.CONTAINS),
  CD(Comparison.CONTAINED_IN),
  OV(Comparison.OVERLAPS),
  FTS(Filter.Search.OPERATORS),
  PLFTS(Filter.Search.WORDS),
  PHFTS(Filter.Search.PHRASE),
  WFTS(Filter.Search.WEB),
  SL(Comparison.LEFT_OF),
  SR(Comparison.RIGHT_OF),
  NXR(Comparison.NOT_RIGHT_OF),
  NXL(Comparison.NOT_LEFT_OF),
  ADJ(Comparison.ADJACENT),
  IN,
  IS;

  private static final Map<String, Operator> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(Operator::text, Function.identity()));

  private final @Nullable Comparison comparison;
  private final Filter.@Nullable Search search;

  Operator() {
    this.comparison = null;
    this.search = null;
  }

  Operator(Comparison comparison) {
    this.comparison = comparison;
    this.search = null;
  }

  Operator(Filter.Search search) {
    this.comparison = null;
    this.search = search;
  }

  static @Nullable Operator named(String text) {
    return BY_NAME.get(text);
  }

  public String text() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** The engine's operator; null if more than a comparison is needed. */
  public @Nullable Comparison comparison() {
    return comparison;
  }

  /** The full-text query syntax of its value; null where it is none. */
  public Filter.@Nullable Search search() {
    return search;
  }

  /** Whether its value is a pattern in which {@code *} is replaced by {@code %}. */
  public boolean takesPattern() {
    return this == LIKE || this == ILIKE;
  }

  /** Whether {@code (any)} and {@code (all)} may follow it. */
  boolean quantifiable() {
    return switch (this) {
      case EQ, LIKE, ILIKE, GT, GTE, LT, LTE, MATCH, IMATCH -> true;
      default -> false;
    };
  }
}
