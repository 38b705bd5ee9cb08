// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Select;
import dev.evita.externalapi.core.Shape;
import dev.evita.externalapi.core.Shape.Node;
import java.util.List;

/**
 * A table's part of a plan.
 *
 * @param shape the object of each row; for a spread one, its members
 * @param members names and nodes of the object's members, in their order
 */
record Level(Select select, Shape.Builder shape, List<Member> members) {

  /** A member of a row, for formats other than JSON. */
  record Member(String name, Node node) {}
}
