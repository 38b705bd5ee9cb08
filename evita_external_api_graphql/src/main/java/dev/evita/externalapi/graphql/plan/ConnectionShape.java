// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Row;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.RowCounter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a page is answered, part by part: all parts come from one statement.
 *
 * @param cursors whether any part needs the rows' cursors
 */
public record ConnectionShape(List<Part> parts, boolean cursors) {
  public ConnectionShape {
    parts = List.copyOf(parts);
  }

  /** A field of the connection. */
  public sealed interface Part {

    /** {@code nodes}: the rows. */
    record Nodes(JsonShape shape) implements Part {}

    /** {@code edges}: the rows with their cursors; a member without a shape is the cursor. */
    record Edges(Members<@Nullable JsonShape> members) implements Part {}

    /** {@code pageInfo}. */
    record About(Members<Fact> members) implements Part {}
  }

  /** A member of {@code pageInfo}. */
  public enum Fact {
    HAS_NEXT,
    HAS_PREVIOUS,
    START,
    END
  }

  /** An object's members and the JSON between them. */
  public record Members<T extends @Nullable Object>(
      List<byte[]> before, List<T> values, byte[] end) {

    /** Puts an object together, member by member. */
    public static final class Builder<T extends @Nullable Object> {
      private final List<byte[]> before = new ArrayList<>();
      private final List<T> values = new ArrayList<>();
      private final StringBuilder pending = new StringBuilder("{");
      private boolean empty = true;

      private void key(String key) {
        pending.append(empty ? "\"" : ",\"").append(key).append("\":");
        empty = false;
      }

      public void constant(String key, String name) {
        key(key);
        pending.append('"').append(name).append('"');
      }

      public void member(String key, T value) {
        key(key);
        before.add(JsonShape.bytes(pending.toString()));
        pending.setLength(0);
        values.add(value);
      }

      public Members<T> build() {
        return new Members<>(before, values, JsonShape.bytes(pending.append('}').toString()));
      }
    }
  }

  /** Writes a row as one element of a part. */
  public static void write(Part part, JsonWriter json, Row row, String cursor, RowCounter counter) {
    switch (part) {
      case Part.Nodes(var shape) -> shape.write(json, row, counter);
      case Part.Edges(var members) -> {
        for (int i = 0; i < members.values().size(); i++) {
          json.raw(members.before().get(i));
          var node = members.values().get(i);
          if (node == null) {
            json.raw('"').raw(cursor).raw('"');
          } else {
            node.write(json, row, counter);
          }
        }
        json.raw(members.end());
      }
      case Part.About info -> {
        // It says nothing of a single row.
      }
    }
  }
}
