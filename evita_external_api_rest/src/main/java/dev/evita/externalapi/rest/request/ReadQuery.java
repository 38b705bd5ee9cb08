// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.rest.model.RestFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A parsed URL: its shape, by which the plan is found, and the values of this request.
 *
 * <p>Not thread-safe; read once.
 */
public final class ReadQuery {

  /** The index of an absent value. */
  public static final int NONE = -1;

  /** The parameter that holds a cursor; no column can have this name. */
  public static final String AFTER = "$after";

  /** The extra capacity of the shape beyond the texts: lengths and marks. */
  private static final int ROOM = 64;

  /** The path of the table itself. */
  public static final String ROOT = "";

  /** The clauses for the table, or for one embedded resource. */
  public static final class Clauses {
    private final List<Condition> conditions = new ArrayList<>();
    private @Nullable String order;
    private int limit = NONE;
    private int offset = NONE;
    private int after = NONE;

    /** Merges both; order and numbers of the first take precedence. */
    Clauses and(Clauses other) {
      var both = new Clauses();
      both.conditions.addAll(conditions);
      both.conditions.addAll(other.conditions);
      both.order = order == null ? other.order : order;
      both.limit = limit == NONE ? other.limit : limit;
      both.offset = offset == NONE ? other.offset : offset;
      both.after = after;
      return both;
    }

    /** The conditions, all of which must match. */
    public List<Condition> conditions() {
      return conditions;
    }

    public @Nullable String order() {
      return order;
    }

    /** The index of the limit's value, or {@link #NONE}. */
    public int limit() {
      return limit;
    }

    /** The index of the offset's value, or {@link #NONE}. */
    public int offset() {
      return offset;
    }

    /** The index of the cursor, or {@link #NONE}. */
    public int after() {
      return after;
    }
  }

  private final StringBuilder shape;
  private final List<Object> values = new ArrayList<>();
  private final Clauses root = new Clauses();
  private final Map<String, Clauses> clauses = new LinkedHashMap<>();
  private final ConditionParser parser;
  private final DepthLimit nesting;
  private @Nullable String select;
  private @Nullable String columns;
  private @Nullable String onConflict;
  private boolean counts;

  /**
   * Parses a query string.
   *
   * @param table the resource that the URL names, with which the shape begins
   * @throws RestFailure PGRST100 if it does not follow the grammar
   */
  public ReadQuery(String table, String query, DepthLimit nesting) {
    this(table, query, nesting, (name, value) -> false);
  }

  /**
   * Parses a query string with additional parameters.
   *
   * @param others receives parameters that do not select rows, and returns whether it accepted them
   */
  public ReadQuery(
      String table, String query, DepthLimit nesting, BiPredicate<String, String> others) {
    this.nesting = nesting;
    this.shape = new StringBuilder(table.length() + query.length() + ROOM);
    this.parser = new ConditionParser(shape, values, nesting);
    text(shape, table);
    clauses.put(ROOT, root);
    QueryText.read(
        query,
        (name, value) -> {
          if (!others.test(name, value)) {
            add(name, value);
          }
        });
  }

  private void add(String name, String value) {
    var last = name.lastIndexOf('.', fieldEnd(name));
    var word = name.substring(last + 1);
    var path = last < 0 ? ROOT : name.substring(0, last);
    switch (word) {
      case "select" -> {
        if (select == null && path.isEmpty()) {
          select = value;
          shape.append("select");
          text(shape, value);
        }
      }
      case "columns" -> columns = path.isEmpty() ? value : columns;
      case "on_conflict" -> onConflict = path.isEmpty() ? value : onConflict;
      case "order" -> order(at(path), value);
      case "limit" -> at(path).limit = whole("limit", value);
      case "offset" -> at(path).offset = whole("offset", value);
      case AFTER -> {
        if (!path.isEmpty()) {
          throw RestFailure.malformed(
              "'"
                  + RestFailure.shortened(name)
                  + "' is a cursor of embedded rows; only the table itself has pages by "
                  + AFTER);
        }
        shape.append("after\n");
        values.add(value);
        root().after = values.size() - 1;
      }
      case "and", "or" -> {
        var negated = path.equals("not") || path.endsWith(".not");
        var of = negated ? path.substring(0, Math.max(0, path.length() - ".not".length())) : path;
        at(of).conditions.add(parser.logic(name, negated, word.equals("and"), value));
      }
      default -> at(path).conditions.add(parser.test(name, word, value));
    }
  }

  /**
   * Returns the index in a parameter's name from which points are not separators: the start of a
   * path into JSON, or of a quoted name.
   */
  private static int fieldEnd(String name) {
    var quote = name.startsWith("\"") ? 0 : name.indexOf(".\"");
    var arrow = name.indexOf("->");
    return quote >= 0 && (arrow < 0 || quote < arrow) ? quote : arrow < 0 ? name.length() : arrow;
  }

  /** Appends a text with its length, so that shapes are unambiguous. */
  static void text(StringBuilder shape, String text) {
    shape.append(text.length()).append(':').append(text);
  }

  private Clauses at(String path) {
    text(shape, path);
    return path.isEmpty() ? root : clauses.computeIfAbsent(path, key -> new Clauses());
  }

  private void order(Clauses of, String value) {
    if (of.order == null) {
      of.order = value;
      shape.append("order");
      text(shape, value);
    }
  }

  private int whole(String name, String value) {
    shape.append(name).append('\n');
    values.add(number(name, value));
    return values.size() - 1;
  }

  static Long number(String name, String value) {
    try {
      var number = Long.parseLong(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below, as is a negative number
    }
    if (name.equals("limit") && value.startsWith("-")) {
      throw RowRange.notSatisfiable(
          "limit is " + RestFailure.shortened(value) + "; expected 0 or more");
    }
    throw RestFailure.malformed(
        name + " is '" + RestFailure.shortened(value) + "'; expected a whole number from 0");
  }

  /**
   * Applies a {@code Range} header to the rows that the URL selects. A cursor defines its own
   * position, and allows a range only if the URL has no limit or offset.
   *
   * @throws RestFailure PGRST103 if there are no such rows
   */
  public void range(@Nullable RowRange range) {
    var root = root();
    var numbered = root.limit != NONE || root.offset != NONE;
    if (range == null || (numbered && root.after != NONE)) {
      return;
    }
    var both = range.within(number(root.offset, 0), number(root.limit, Long.MAX_VALUE));
    root.offset = put("offset", root.offset, both.first());
    if (both.rows() != null) {
      root.limit = put("limit", root.limit, both.rows());
    }
  }

  private int put(String name, int index, Long number) {
    if (index == NONE) {
      return whole(name, number.toString());
    }
    values.set(index, number);
    return index;
  }

  /** Requests the count of all rows. */
  public void count() {
    counts = true;
    shape.append("count\n");
  }

  /** Whether the count of all rows is requested. */
  public boolean counts() {
    return counts;
  }

  /** The shape: everything but the values. */
  public String key() {
    return shape.toString();
  }

  public Clauses root() {
    return root;
  }

  /** The clauses by path of embedded resources; {@link #ROOT} is always present. */
  Map<String, Clauses> clauses() {
    return clauses;
  }

  /** Whether rows are filtered or ordered. */
  public boolean chooses() {
    return clauses.size() > 1 || !root.conditions.isEmpty() || root.order != null;
  }

  /** Whether columns are named. */
  public boolean selects() {
    return select != null;
  }

  /** Parses the selection; needed only for a shape that is not cached yet. */
  public List<SelectItem> items() {
    return SelectParser.parse(select == null ? "" : select, nesting);
  }

  /** The columns of a body that are written; null for those that the body names. */
  public @Nullable Set<String> columns() {
    if (columns == null) {
      return null;
    }
    var names = new LinkedHashSet<String>();
    var cursor = new TextScanner("columns", columns);
    do {
      names.add(cursor.name(","));
    } while (cursor.take(","));
    return names;
  }

  /** The columns of the conflict key; null for the primary key. */
  public @Nullable String onConflict() {
    return onConflict;
  }

  /** The values: texts, lists of texts, and numbers for limits. */
  public List<Object> values() {
    return values;
  }

  /** Returns the number at the index, or the default if there is none. */
  long number(int index, long otherwise) {
    return index == NONE ? otherwise : (Long) values.get(index);
  }
}
