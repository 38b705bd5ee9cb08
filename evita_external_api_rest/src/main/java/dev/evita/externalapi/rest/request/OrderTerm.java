// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.api.Order;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A term of {@code order}.
 *
 * <pre>
 *   terms = term { "," term }
 *   term  = (field | relationship "(" field ")") ["." ("asc" | "desc")] ["." ("nullsfirst" | "nullslast")]
 * </pre>
 *
 * @param embed the embedded resource whose field it is; null for the table's own
 */
public record OrderTerm(
    @Nullable String embed, FieldPath field, Order.Direction direction, Order.Nulls nulls) {

  public static List<OrderTerm> parse(String text) {
    var terms = new ArrayList<OrderTerm>();
    var cursor = new TextScanner("order", text);
    do {
      terms.add(term(cursor));
    } while (cursor.take(","));
    if (!cursor.atEnd()) {
      throw cursor.failure("expected a comma or the end");
    }
    return terms;
  }

  private static OrderTerm term(TextScanner cursor) {
    String embed = null;
    var field = FieldPath.read(cursor, ".,()");
    if (field.isColumn() && cursor.take("(")) {
      embed = field.column();
      field = FieldPath.read(cursor, ".,()");
      cursor.require(")");
    }
    var direction = Order.Direction.ASCENDING;
    Order.Nulls nulls = null;
    while (cursor.take(".")) {
      var word = cursor.until(".,");
      switch (word) {
        case "asc" -> direction = Order.Direction.ASCENDING;
        case "desc" -> direction = Order.Direction.DESCENDING;
        case "nullsfirst" -> nulls = Order.Nulls.FIRST;
        case "nullslast" -> nulls = Order.Nulls.LAST;
        default -> throw cursor.failure("expected asc, desc, nullsfirst or nullslast");
      }
    }
    var byDefault = direction == Order.Direction.ASCENDING ? Order.Nulls.LAST : Order.Nulls.FIRST;
    return new OrderTerm(embed, field, direction, nulls == null ? byDefault : nulls);
  }
}
