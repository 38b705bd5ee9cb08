// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.TableName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A streaming field of {@code subscription_root}: rows of a table as they are inserted, by cursor
 * columns.
 *
 * @param cursorInput the input type of a cursor
 * @param cursorValue the input type of a cursor's initial value
 */
public record StreamModel(String name, TableModel table, String cursorInput, String cursorValue) {

  public static final String CURSOR_ORDERING = "cursor_ordering";

  /** The columns by which rows can be streamed. */
  public List<FieldModel.OfColumn> cursors() {
    return table.columns().stream()
        .filter(field -> Comparisons.sortable(field.column().type()))
        .toList();
  }

  /**
   * Creates the streams of all tables that have a column to stream by.
   *
   * @param listFields the names of the tables' lists
   * @param fields names at the root that are taken
   */
  static Map<String, StreamModel> of(
      List<TableModel> tables,
      Map<TableName, String> listFields,
      GraphQlNames types,
      GraphQlNames fields) {
    var streams = new LinkedHashMap<String, StreamModel>();
    for (var table : tables) {
      var list = Objects.requireNonNull(listFields.get(table.table().name()));
      var name = fields.claim(list + "_stream");
      var stream =
          new StreamModel(
              name,
              table,
              types.claim(table.typeName() + "_stream_cursor_input"),
              types.claim(table.typeName() + "_stream_cursor_value_input"));
      if (!stream.cursors().isEmpty()) {
        streams.put(name, stream);
      }
    }
    return streams;
  }
}
