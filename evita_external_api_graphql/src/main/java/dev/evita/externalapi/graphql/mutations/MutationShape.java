// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonWriter;
import java.util.List;

/** How what became of written rows is answered. Immutable. */
sealed interface MutationShape {

  /** The shapes in which each row is answered: one for each place where rows stand. */
  List<JsonShape> shapes();

  /** Writes the field's value. */
  void write(JsonWriter json, long affected, ReturnedRows rows);

  /** Whether no more than the first row is answered. */
  default boolean single() {
    return false;
  }

  /** The row, or null. */
  record One(List<JsonShape> shapes) implements MutationShape {
    @Override
    public boolean single() {
      return true;
    }

    @Override
    public void write(JsonWriter json, long affected, ReturnedRows rows) {
      rows.writeFirst(json);
    }
  }

  /** All rows. */
  record Many(List<JsonShape> shapes) implements MutationShape {
    @Override
    public void write(JsonWriter json, long affected, ReturnedRows rows) {
      rows.writeAll(json, 0);
    }
  }

  /** {@code x_mutation_response}. */
  record Response(List<Member> members, byte[] end, List<JsonShape> shapes)
      implements MutationShape {

    /**
     * A member that is not the same in each answer.
     *
     * @param before the fixed JSON before it
     * @param shape the index of the shape in which rows stand here; {@link #AFFECTED} for their
     *     number
     */
    record Member(byte[] before, int shape) {
      static final int AFFECTED = -1;
    }

    @Override
    public void write(JsonWriter json, long affected, ReturnedRows rows) {
      for (var member : members) {
        json.raw(member.before);
        if (member.shape == Member.AFFECTED) {
          json.number(affected);
        } else {
          rows.writeAll(json, member.shape);
        }
      }
      json.raw(end);
    }
  }
}
