// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.Column;
import dev.evita.api.Relationship;

/** The element that a field of a table's object type represents. */
public sealed interface FieldModel {

  /** Its name in the schema. */
  String name();

  /** A column. */
  record OfColumn(String name, Column column) implements FieldModel {}

  /** The related row, or the related rows. */
  record OfRelationship(String name, Relationship relationship, TableModel target)
      implements FieldModel {}

  /** Aggregates over the related rows, and these rows. */
  record OfAggregate(String name, Relationship relationship, TableModel target)
      implements FieldModel {}

  /** The related rows in groups. */
  record OfGroups(String name, Relationship relationship, TableModel target)
      implements FieldModel {}
}
