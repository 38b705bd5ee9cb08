// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.DataType;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.Relationship;
import dev.evita.externalapi.core.insert.InsertLevel;
import dev.evita.externalapi.core.insert.InsertLink;
import dev.evita.externalapi.core.insert.InsertObject;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.model.RestTable;
import dev.evita.externalapi.rest.model.RestValues;
import dev.evita.externalapi.rest.reads.Embedding;
import dev.evita.externalapi.rest.request.RequestRows;
import dev.evita.externalapi.rest.request.SelectItem;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Parses the rows of a body, in which rows of other tables are nested by the names of
 * relationships, into levels. Used once, by one thread.
 */
final class NestedRows {

  private final RestModel model;
  private final RestTable root;
  private final RequestRows rows;
  private final DepthLimit nesting;
  private final Map<RestTable, Map<String, Way>> ways = new HashMap<>();

  /** The columns of the root's rows with values of their own. */
  private final Set<String> own = new LinkedHashSet<>();

  /** The columns that receive the keys of nested rows. */
  private final Set<String> related = new LinkedHashSet<>();

  /**
   * The join path to nested rows.
   *
   * @param second the continuation, if the first leads to a junction table
   */
  private record Way(
      InsertLink first, @Nullable InsertLink second, RestTable middle, RestTable target) {
    boolean single() {
      return first.single() && second == null;
    }
  }

  /**
   * @throws RestFailure 42703 for a name that is neither a column nor a relationship; PGRST201 for
   *     an ambiguous one; PGRST102 if rows do not name the same columns; 0A000 for relationships
   *     that do not support nested inserts
   */
  NestedRows(RestModel model, RestTable root, RequestRows rows, DepthLimit nesting) {
    this.model = model;
    this.root = root;
    this.rows = rows;
    this.nesting = nesting;
    rows.rows().forEach(row -> row.forEach(this::assess));
    if (rows.chosen()) {
      rows.columns().forEach(name -> assess(name, null));
    } else {
      requireAlike();
    }
  }

  /** Whether the rows have members that are not columns of the table. */
  static boolean areIn(RestTable table, RequestRows rows) {
    if (rows.texts()) {
      return false;
    }
    return rows.columns().stream().anyMatch(name -> table.column(name) == null)
        || rows.rows().stream()
            .anyMatch(row ->
                row.entrySet().stream()
                    .anyMatch(each ->
                        rows.includes(each.getKey())
                            && !isColumn(table, each.getKey(), each.getValue())));
  }

  /**
   * The name of a foreign key column may also denote the relationship, to nest the referenced row.
   */
  private static boolean isColumn(RestTable table, String name, @Nullable Object value) {
    var column = table.column(name);
    if (column == null) {
      return false;
    }
    return !(value instanceof Map)
        || column.type() == DataType.Scalar.JSON
        || table.table().foreignKeys().stream()
            .noneMatch(key -> key.columns().equals(List.of(column.name())));
  }

  private void assess(String name, @Nullable Object value) {
    if (!rows.includes(name)) {
      return;
    }
    if (isColumn(root, name, value)) {
      own.add(root.requireWritable(name).name());
      return;
    }
    var first = way(root, name).first();
    if (first.before()) {
      related.addAll(first.relationship().fromColumns());
    }
  }

  /**
   * A column that some rows take from nested rows may be given explicitly by others, or be left
   * out.
   */
  private void requireAlike() {
    var expected = new TreeSet<>(own);
    expected.removeAll(related);
    for (var row : rows.rows()) {
      for (var column : expected) {
        var name = model.catalog().apiName(root.table().name(), column);
        if (!row.containsKey(name)) {
          throw RequestRows.unlike();
        }
      }
    }
  }

  /** The columns of the table itself that the rows write. */
  List<String> columns() {
    var all = new LinkedHashSet<>(own);
    all.addAll(related);
    return List.copyOf(all);
  }

  /**
   * Returns the level of the rows.
   *
   * @param onConflict the treatment of rows of the table itself whose key exists
   * @param missingDefault whether they have the defaults of columns that are chosen and that they
   *     do not name, rather than null
   * @throws RestFailure for an invalid body, naming the location
   * @throws EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP}
   */
  InsertLevel read(Insert.@Nullable OnConflict onConflict, boolean missingDefault) {
    var level = new InsertLevel(root.table(), onConflict);
    var body = ValuePath.of("");
    var all = rows.rows();
    for (int i = 0; i < all.size(); i++) {
      var where = all.size() == 1 ? body : body.element(i);
      var object = add(level, root, all.get(i), where, 1);
      if (rows.chosen()) {
        fill(object, missingDefault);
      }
    }
    return level;
  }

  private void fill(InsertObject object, boolean missingDefault) {
    for (var column : own) {
      if (!object.gives(column)) {
        object.put(column, missingDefault ? InsertRows.DEFAULT : null);
      }
    }
  }

  private InsertObject add(
      InsertLevel level, RestTable table, Map<?, ?> row, ValuePath where, int depth) {
    nesting.require("array of rows", depth);
    var object = new InsertObject(table.table(), new BodyLocation(model.catalog(), table, where));
    for (var member : row.entrySet()) {
      var name = String.valueOf(member.getKey());
      var value = member.getValue();
      var at = where.member(name);
      if (depth == 1 && !rows.includes(name)) {
        continue;
      }
      if (isColumn(table, name, value)) {
        var column = table.requireWritable(name);
        object.put(column.name(), RestValues.coerce(column.type(), value, "'" + at + "'"));
      } else {
        relate(level, object, way(table, name), value, at, depth);
      }
    }
    level.add(object);
    return object;
  }

  private void relate(
      InsertLevel level,
      InsertObject object,
      Way way,
      @Nullable Object value,
      ValuePath where,
      int depth) {
    if (way.single()) {
      one(level, object, way, value, where, depth);
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        one(level, object, way, list.get(i), where.element(i), depth);
      }
    } else {
      throw wrong(where, value, "an array of objects");
    }
  }

  private void one(
      InsertLevel level,
      InsertObject object,
      Way way,
      @Nullable Object value,
      ValuePath where,
      int depth) {
    if (!(value instanceof Map<?, ?> row)) {
      throw wrong(where, value, "an object");
    }
    var next = level.child(way.first(), null);
    if (way.second() == null) {
      object.link(way.first(), add(next, way.target(), row, where, depth + 1));
      return;
    }
    var joining =
        new InsertObject(
            way.middle().table(), new BodyLocation(model.catalog(), way.middle(), where));
    object.link(way.first(), joining);
    var last = next.child(way.second(), null);
    joining.link(way.second(), add(last, way.target(), row, where, depth + 1));
    next.add(joining);
  }

  private static RestFailure wrong(ValuePath where, @Nullable Object value, String expected) {
    var shown =
        switch (value) {
          case null -> "null";
          case Map<?, ?> map -> "an object";
          case List<?> list -> "an array";
          default -> "'" + RestFailure.shortened(value.toString()) + "'";
        };
    return BodyLocation.malformed(
        where, shown + " is no row of a relationship; expected " + expected, null);
  }

  private Way way(RestTable table, String name) {
    return ways.computeIfAbsent(table, key -> new HashMap<>())
        .computeIfAbsent(name, key -> find(table, key));
  }

  private Way find(RestTable table, String name) {
    var words = List.of(name.split("!", -1));
    var embed =
        new SelectItem.Embed(
            null, words.getFirst(), words.subList(1, words.size()), false, false, List.of());
    var embedding = Embedding.find(model, table, embed, () -> unknown(table, name));
    var first = link(table, embedding.first());
    var middle = model.table(embedding.first().to());
    var second = embedding.second();
    return second == null
        ? new Way(first, null, middle, middle)
        : new Way(first, link(middle, second), middle, model.table(second.to()));
  }

  private static RestFailure unknown(RestTable table, String name) {
    var names = table.relationships().stream().map(Relationship::name).limit(20).toList();
    return table.unknownMember(
        name, names.isEmpty() ? "" : ", and the relationships " + String.join(", ", names));
  }

  private InsertLink link(RestTable from, Relationship relationship) {
    var target = model.table(relationship.to());
    var link = InsertLink.of(from.table(), relationship, target.table());
    if (link == null) {
      throw RestFailure.unsupported(
          "Rows of '"
              + target.name()
              + "' cannot be added through '"
              + relationship.name()
              + "', as it is a view, or the database makes the values of the columns that refer",
          "Leave '" + relationship.name() + "' out");
    }
    return link;
  }
}
