// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.api.RowCursor;
import dev.evita.api.Values;
import dev.evita.externalapi.core.limits.RowCounter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a row becomes a JSON object: between its values stand fragments that were encoded once.
 *
 * <p>{@code {"id":} value {@code ,"brand":} value {@code }}}. Immutable.
 */
public final class JsonShape {

  /** A value in an object. */
  public sealed interface Node {

    /** A column. */
    record Value(int slot, DataType type, boolean required, String name) implements Node {}

    /** A column of lists, which must be nested as deep as its type says. */
    record Lists(Value value) implements Node {}

    /** An aggregate, written as the class in which it comes. */
    record Computed(int slot) implements Node {}

    /** An object of the same row. */
    record Inline(JsonShape shape) implements Node {}

    /** The related row, or null. */
    record One(int slot, JsonShape shape) implements Node {}

    /** The related rows. */
    record Many(int slot, JsonShape shape) implements Node {}

    /** A column as text, whatever its type. */
    record Text(int slot) implements Node {}

    /**
     * The members of the related row among those of this one.
     *
     * @param members of {@link Builder#ofMembers}
     * @param absent the same with nulls, where there is no related row
     */
    record Spread(int slot, JsonShape members, byte[] absent) implements Node {}
  }

  private final byte[][] fragments;
  private final String[] keys;
  private final Node[] nodes;
  private final byte[] end;

  private JsonShape(List<byte[]> fragments, List<String> keys, List<Node> nodes, byte[] end) {
    this.fragments = fragments.toArray(new byte[0][]);
    this.keys = keys.toArray(new String[0]);
    this.nodes = nodes.toArray(new Node[0]);
    this.end = end;
  }

  /** A value alone, in no object. */
  public static JsonShape alone(Node node) {
    return Builder.alone(node).build();
  }

  /** Writes a row. */
  public void write(JsonWriter json, Row row, RowCounter counter) {
    for (int i = 0; i < nodes.length; i++) {
      json.raw(fragments[i]);
      write(json, nodes[i], row, counter);
    }
    json.raw(end);
  }

  /**
   * Writes a row as far as its values can be: those that their types cannot say are null.
   *
   * <p>For a row of which {@link #write} has failed with {@code STORED_VALUE_INVALID}; without
   * {@link Node.Spread}.
   *
   * @return whether it was written; else null is to stand in its place, as a value that must not be
   *     null is at fault, and nothing was written
   */
  public boolean writeTolerantly(
      JsonWriter json, Row row, RowCounter counter, ValueErrorListener faults) {
    var start = json.position();
    if (new TolerantWriter(json, counter, faults).write(this, row)) {
      return true;
    }
    json.position(start);
    return false;
  }

  byte[][] fragments() {
    return fragments;
  }

  /** The names of the members whose values are the nodes. */
  String[] keys() {
    return keys;
  }

  Node[] nodes() {
    return nodes;
  }

  byte[] end() {
    return end;
  }

  static void write(JsonWriter json, Node node, Row row, RowCounter counter) {
    switch (node) {
      case Node.Value value -> {
        if (!row.isNull(value.slot)) {
          json.present(value.type, row, value.slot);
        } else if (value.required) {
          throw missing(value.name);
        } else {
          json.nullValue();
        }
      }
      case Node.Lists(var value) -> {
        requireNested(value, row.objectAt(value.slot));
        write(json, value, row, counter);
      }
      case Node.Computed computed ->
          json.value(DataType.Scalar.DECIMAL, row.objectAt(computed.slot));
      case Node.Inline inline -> inline.shape.write(json, row, counter);
      case Node.One one -> one(json, one, row.nested(one.slot), counter);
      case Node.Many many -> many(json, many, row.nested(many.slot), counter);
      case Node.Text text -> {
        var value = row.textAt(text.slot);
        if (value == null) {
          json.nullValue();
        } else {
          json.string(value);
        }
      }
      case Node.Spread spread -> spread(json, spread, row.nested(spread.slot), counter);
    }
  }

  private static void one(JsonWriter json, Node.One one, RowCursor cursor, RowCounter counter) {
    if (cursor.next()) {
      counter.count();
      one.shape.write(json, cursor, counter);
    } else {
      json.nullValue();
    }
  }

  private static void many(JsonWriter json, Node.Many many, RowCursor cursor, RowCounter counter) {
    json.raw('[');
    for (var first = true; cursor.next(); first = false) {
      if (!first) {
        json.raw(',');
      }
      counter.count();
      many.shape.write(json, cursor, counter);
    }
    json.raw(']');
  }

  private static void spread(
      JsonWriter json, Node.Spread spread, RowCursor cursor, RowCounter counter) {
    if (cursor.next()) {
      counter.count();
      spread.members.write(json, cursor, counter);
    } else {
      json.raw(spread.absent);
    }
  }

  private static void requireNested(Node.Value value, @Nullable Object stored) {
    if (stored != null && !isNested(value.type, stored)) {
      throw new EvitaException(
          ErrorCode.STORED_VALUE_INVALID,
          "A value stored in '%s' is not %s".formatted(value.name, Values.expected(value.type)));
    }
  }

  private static boolean isNested(DataType type, @Nullable Object value) {
    return switch (value) {
      case null -> true;
      case List<?> list ->
          type instanceof DataType.Array(var element)
              && list.stream().allMatch(each -> isNested(element, each));
      default -> !(type instanceof DataType.Array);
    };
  }

  private static EvitaException missing(String column) {
    return new EvitaException(
        ErrorCode.STORED_VALUE_INVALID,
        "The column '" + column + "' holds null, though the catalog says that it cannot");
  }

  /** Puts a shape together, member by member. */
  public static final class Builder {
    private final List<byte[]> fragments = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final StringBuilder pending;
    private final StringBuilder absent = new StringBuilder();
    private final String close;
    private boolean empty = true;

    /** An object. */
    public Builder() {
      this("{", "}");
    }

    private Builder(String open, String close) {
      this.pending = new StringBuilder(open);
      this.close = close;
    }

    /** Members without the braces around them, for {@link Node.Spread}. */
    public static Builder ofMembers() {
      return new Builder("", "");
    }

    /** A value alone, in no object. */
    public static Builder alone(Node node) {
      var builder = new Builder("", "");
      builder.add("", node);
      return builder;
    }

    private void key(String key) {
      var name = (empty ? "" : ",") + quoted(key) + ':';
      pending.append(name);
      absent.append(name).append("null");
      empty = false;
    }

    private static String quoted(String text) {
      var json = JsonWriter.inMemory();
      json.string(text);
      return new String(json.take(), StandardCharsets.UTF_8);
    }

    /** A member that is the same in each row: a name, which needs no escapes. */
    public void constant(String key, String name) {
      key(key);
      pending.append('"').append(name).append('"');
    }

    /** A member that is true in each row. */
    public void always(String key) {
      key(key);
      pending.append(true);
    }

    /** A member that is another in each row. */
    public void member(String key, Node node) {
      key(key);
      add(key, node);
    }

    /** Members of a related row, which are named where they are read. */
    public void spread(int slot, Builder members) {
      if (members.empty) {
        return;
      }
      var absentMembers = members.absent.toString();
      pending.append(empty ? "" : ",");
      absent.append(empty ? "" : ",").append(absentMembers);
      empty = false;
      add("", new Node.Spread(slot, members.build(), bytes(absentMembers)));
    }

    private void add(String key, Node node) {
      keys.add(key);
      fragments.add(bytes(pending.toString()));
      pending.setLength(0);
      nodes.add(node);
    }

    /** What was put together. */
    public JsonShape build() {
      return new JsonShape(fragments, keys, nodes, bytes(pending.append(close).toString()));
    }
  }

  /** The text in UTF-8. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
