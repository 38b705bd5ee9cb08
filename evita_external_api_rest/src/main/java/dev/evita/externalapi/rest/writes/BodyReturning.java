// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.Row;
import dev.evita.externalapi.core.insert.InsertReturning;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestTable;

/**
 * The representation that a request requires of the rows that it inserts together with others.
 *
 * @param scratch for this alone
 */
record BodyReturning(
    RestTable table, Selection selection, WriteResponseRows written, JsonWriter scratch)
    implements InsertReturning {

  @Override
  public Runnable render(Row row, Quota held) {
    return written.render(scratch, row, held);
  }

  @Override
  public RestFailure withoutKey() {
    return RestFailure.unsupported(
        "Related rows of '"
            + table.name()
            + "' cannot be returned together with nested rows, as the table has no key",
        "Select only columns");
  }
}
