// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.insert.InsertLocation;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.model.TableModel;

/** Where an argument has a row to insert. */
record ArgumentLocation(TableModel table, ValuePath where) implements InsertLocation {

  @Override
  public EvitaException givenTwice(String column) {
    return Inputs.invalid(
        where.member(table.fieldOf(column).name()),
        "its value comes from a relationship as well; leave one of them out");
  }

  @Override
  public EvitaException notGiven(String column) {
    return Inputs.invalid(
        where,
        "update_columns names '"
            + table.fieldOf(column).name()
            + "', which has a default; give its value");
  }

  @Override
  public EvitaException leftAsItIs() {
    return new EvitaException(
        ErrorCode.UNIQUE_VIOLATION,
        where
            + ": a row with this key exists and is left as it is, so that nothing can be inserted"
            + " with it; name a column in update_columns");
  }
}
