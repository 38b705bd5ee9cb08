// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import dev.evita.api.Capability;
import dev.evita.api.Comparison;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A comparison of a column in a filter: a field of the comparison messages. */
public enum ColumnTest {
  EQ(1, Comparison.EQUAL, false),
  NE(2, Comparison.NOT_EQUAL, false),
  GT(3, Comparison.GREATER, false),
  GTE(4, Comparison.GREATER_OR_EQUAL, false),
  LT(5, Comparison.LESS, false),
  LTE(6, Comparison.LESS_OR_EQUAL, false),
  /** A list. */
  ONE_OF(7, null, false),
  /** A list. */
  NOT_ONE_OF(8, null, true),
  IS_NULL(9, null, false),
  LIKE(10, Comparison.LIKE, false),
  NOT_LIKE(11, Comparison.LIKE, true),
  ILIKE(12, Comparison.ILIKE, false),
  NOT_ILIKE(13, Comparison.ILIKE, true),
  MATCHES(14, Comparison.MATCHES, false),
  NOT_MATCHES(15, Comparison.MATCHES, true),
  IMATCHES(16, Comparison.IMATCHES, false),
  NOT_IMATCHES(17, Comparison.IMATCHES, true),
  CONTAINS(18, Comparison.CONTAINS, false),
  CONTAINED_IN(19, Comparison.CONTAINED_IN, false),
  OVERLAPS(20, Comparison.OVERLAPS, false);

  private final int number;
  private final @Nullable Comparison comparison;
  private final boolean negated;

  ColumnTest(int number, @Nullable Comparison comparison, boolean negated) {
    this.number = number;
    this.comparison = comparison;
    this.negated = negated;
  }

  public int number() {
    return number;
  }

  public String field() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static ColumnTest of(int number) {
    return values()[number - 1];
  }

  /** The engine's comparison operator; null for lists and nulls. */
  public @Nullable Comparison comparison() {
    return comparison;
  }

  public boolean negated() {
    return negated;
  }

  /** Whether a column is compared with a list. */
  public boolean ofList() {
    return this == ONE_OF || this == NOT_ONE_OF;
  }

  boolean suits(ProtoKind kind) {
    return switch (this) {
      case EQ, NE -> true;
      case IS_NULL -> true;
      case GT, GTE, LT, LTE -> kind != ProtoKind.JSON;
      case ONE_OF, NOT_ONE_OF -> kind != ProtoKind.JSON && kind != ProtoKind.ARRAY;
      case LIKE, NOT_LIKE, ILIKE, NOT_ILIKE, MATCHES, NOT_MATCHES, IMATCHES, NOT_IMATCHES ->
          kind == ProtoKind.TEXT;
      case CONTAINS, CONTAINED_IN -> kind == ProtoKind.ARRAY || kind == ProtoKind.JSON;
      case OVERLAPS -> kind == ProtoKind.ARRAY;
    };
  }

  /** The capability that an engine needs for it; null for none. */
  @Nullable Capability capability(ProtoKind kind) {
    return switch (this) {
      case EQ, NE, GT, GTE, LT, LTE, ONE_OF, NOT_ONE_OF, IS_NULL -> null;
      case LIKE, NOT_LIKE, ILIKE, NOT_ILIKE -> Capability.LIKE;
      case MATCHES, NOT_MATCHES, IMATCHES, NOT_IMATCHES -> Capability.REGULAR_EXPRESSIONS;
      case CONTAINS, CONTAINED_IN, OVERLAPS ->
          kind == ProtoKind.ARRAY ? Capability.ARRAYS : Capability.JSON_CONTAINMENT;
    };
  }

  @Nullable String comment() {
    return switch (this) {
      case LIKE -> "SQL's pattern with % and _; case counts.";
      case ILIKE -> "The same; case does not count.";
      case MATCHES -> "A regular expression of the database's; case counts.";
      case IMATCHES -> "The same; case does not count.";
      case IS_NULL -> "Whether it is null.";
      default -> null;
    };
  }
}
