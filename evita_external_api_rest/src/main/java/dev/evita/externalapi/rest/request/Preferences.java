// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.rest.model.RestFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The preferences of the {@code Prefer} header (RFC 7240), by PostgREST's names.
 *
 * @param count whether the number of all rows is requested; {@code planned} and {@code estimated}
 *     are treated as {@code exact}, since engines provide no estimates
 * @param returned the response of a write
 * @param resolution the treatment of a row whose key exists; null for an error
 * @param missingDefault whether a column that a row does not name gets its default rather than null
 * @param rollback whether a write is rolled back after its response is produced
 * @param maxAffected the maximum number of rows a write may change; applies with {@code
 *     handling=strict} only
 * @param snapshot whether a change feed begins with all rows
 * @param applied the value of {@code Preference-Applied}
 */
public record Preferences(
    boolean count,
    Return returned,
    @Nullable Resolution resolution,
    boolean missingDefault,
    boolean rollback,
    long maxAffected,
    boolean snapshot,
    List<String> applied) {

  /** The response of a write. */
  public enum Return {
    MINIMAL,
    HEADERS_ONLY,
    REPRESENTATION
  }

  /** The treatment of a row whose key exists. */
  public enum Resolution {
    MERGE,
    IGNORE
  }

  /** The preferences reported as applied where all rows were counted. */
  public static final String COUNTED = "count=exact";

  private static final String MAX_AFFECTED = "max-affected=";

  public Preferences {
    applied = List.copyOf(applied);
  }

  /** Returns these preferences with the rows as the response. */
  public Preferences representing() {
    return new Preferences(
        count,
        Return.REPRESENTATION,
        resolution,
        missingDefault,
        rollback,
        maxAffected,
        snapshot,
        applied);
  }

  /** Returns the preferences reported as applied for a read; null for none. */
  public @Nullable String appliedToReads() {
    var reported =
        applied.stream()
            .filter(each -> each.startsWith("count=") || each.startsWith("handling="))
            .toList();
    return reported.isEmpty() ? null : String.join(", ", reported);
  }

  /** Parses preferences one by one. */
  private static final class Reader {
    private boolean count;
    private Return returned = Return.MINIMAL;
    private @Nullable Resolution resolution;
    private boolean missingDefault;
    private boolean rollback;
    private boolean strict;
    private long maxAffected = Long.MAX_VALUE;
    private boolean snapshot = true;
    private final List<String> applied = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    private void read(String preference) {
      switch (preference) {
        case "" -> {
          return;
        }
        case "count=exact", "count=planned", "count=estimated" -> {
          count = true;
          applied.add(COUNTED);
          return;
        }
        case "return=minimal" -> returned = Return.MINIMAL;
        case "return=headers-only" -> returned = Return.HEADERS_ONLY;
        case "return=representation" -> returned = Return.REPRESENTATION;
        case "resolution=merge-duplicates" -> resolution = Resolution.MERGE;
        case "resolution=ignore-duplicates" -> resolution = Resolution.IGNORE;
        case "missing=default" -> missingDefault = true;
        case "missing=null" -> missingDefault = false;
        case "tx=rollback" -> rollback = true;
        case "tx=commit" -> rollback = false;
        case "snapshot=none" -> snapshot = false;
        case "snapshot=full" -> snapshot = true;
        case "handling=strict" -> strict = true;
        case "handling=lenient" -> strict = false;
        default -> {
          if (!maxAffected(preference)) {
            unknown.add(preference);
            return;
          }
        }
      }
      applied.add(preference);
    }

    private boolean maxAffected(String preference) {
      try {
        if (preference.startsWith(MAX_AFFECTED)) {
          maxAffected = Long.parseLong(preference.substring(MAX_AFFECTED.length()));
          return maxAffected >= 0;
        }
      } catch (NumberFormatException e) {
        // unknown, like any other
      }
      return false;
    }
  }

  /**
   * Parses the header.
   *
   * @throws RestFailure PGRST122 for an unknown preference with {@code handling=strict}
   */
  public static Preferences parse(@Nullable String header) {
    var reader = new Reader();
    if (header != null) {
      for (var each : header.split(",", -1)) {
        reader.read(each.strip());
      }
    }
    if (reader.strict && !reader.unknown.isEmpty()) {
      throw new RestFailure(
          400,
          HttpErrorCode.MALFORMED_REQUEST,
          "PGRST122",
          "Invalid preferences given with handling=strict",
          "Invalid preferences: " + RestFailure.shortened(String.join(", ", reader.unknown)),
          null);
    }
    if (!reader.strict) {
      reader.applied.removeIf(each -> each.startsWith(MAX_AFFECTED));
    }
    return new Preferences(
        reader.count,
        reader.returned,
        reader.resolution,
        reader.missingDefault,
        reader.rollback,
        reader.strict ? reader.maxAffected : Long.MAX_VALUE,
        reader.snapshot,
        reader.applied);
  }
}
