// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import dev.evita.api.Select;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonShape.Node;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table's part of a plan.
 *
 * @param shape the object of each row; for a spread one, its members
 * @param members names and nodes of the object's members, in their order
 */
public record EmbedLevel(Select select, JsonShape.Builder shape, List<Member> members) {

  /**
   * A member of a row, for formats other than JSON.
   *
   * @param way the slots of single related rows that lead to the row of the node
   */
  public record Member(String name, List<Integer> way, Node node) {
    public Member {
      way = List.copyOf(way);
    }

    /** A member of the row itself. */
    public Member(String name, Node node) {
      this(name, List.of(), node);
    }

    /** The node with its way, as one of the row itself. */
    public Node whole() {
      var whole = node;
      for (var slot : way.reversed()) {
        whole = new Node.One(slot, JsonShape.alone(whole));
      }
      return whole;
    }

    /** The same for a row of which that one is a single related one. */
    public Member spread(int slot) {
      return new Member(name, Stream.concat(Stream.of(slot), way.stream()).toList(), node);
    }
  }
}
