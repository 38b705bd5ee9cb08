// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.Catalog;
import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.insert.InsertLocation;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestTable;
import org.jspecify.annotations.Nullable;

/**
 * The location of an inserted row in a body.
 *
 * @param where empty for the only row of a body
 */
record BodyLocation(Catalog catalog, RestTable table, ValuePath where) implements InsertLocation {

  @Override
  public RestFailure duplicateValue(String column) {
    return malformed(
        where.member(name(column)),
        "its value comes from a relationship as well",
        "Leave one of them out");
  }

  @Override
  public RestFailure missingValue(String column) {
    return malformed(
        where,
        "it leaves out '" + name(column) + "', which has a default and which other rows name",
        "Name it in all rows");
  }

  @Override
  public RestFailure conflictIgnored() {
    return new RestFailure(
        409,
        ErrorCode.UNIQUE_VIOLATION,
        "23505",
        at(where) + "the row exists and is left as it is, so that nothing can be added with it",
        null,
        "Use resolution=merge-duplicates, or insert the nested rows separately");
  }

  private String name(String column) {
    return catalog.apiName(table.table().name(), column);
  }

  /** The failure of a body with invalid rows. */
  static RestFailure malformed(ValuePath where, String message, @Nullable String hint) {
    return new RestFailure(
        400, HttpErrorCode.MALFORMED_REQUEST, "PGRST102", at(where) + message, null, hint);
  }

  private static String at(ValuePath where) {
    var text = where.toString();
    return text.isEmpty() ? "" : text + ": ";
  }
}
