// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.Arguments;
import dev.evita.api.Delete;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.KeyValues;
import dev.evita.api.Prepared;
import dev.evita.api.Table;
import dev.evita.api.Update;
import dev.evita.externalapi.core.limits.Cost;
import org.jspecify.annotations.Nullable;

/** A write of one statement that is ready to run, and what it tells of the rows. */
record WritePlan(
    Table table, Prepared prepared, Arguments arguments, ReturnedRepresentation returned) {

  /** What it is estimated to cost to tell of the rows, as {@code Member.cost}. */
  double cost(int estimatedRows) {
    var operation = prepared.operation();
    return switch (operation) {
      case Insert insert -> {
        var rows = arguments.get(insert.rows()) instanceof InsertRows(var given) ? given.size() : 1;
        yield Cost.of(insert, true, estimatedRows).with(arguments) * rows;
      }
      case Update update -> changed(estimatedRows, update.where());
      case Delete delete -> changed(estimatedRows, delete.where());
      default -> throw new IllegalStateException("no write: " + operation);
    };
  }

  private double changed(int estimatedRows, @Nullable Filter where) {
    var byKey = KeyValues.required(table, where, arguments).isPresent();
    return Cost.of(prepared.operation(), byKey, estimatedRows).with(arguments);
  }
}
