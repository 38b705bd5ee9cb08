// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.graphql.schema.IntrospectionField;

/** The source of the JSON of a query's step, compiled. */
public sealed interface QuerySource {

  /**
   * An operation of the engine.
   *
   * @param list whether its rows are a list, or one object or null
   */
  record Rows(boolean list, JsonShape shape, RowSource operation) implements QuerySource {}

  /** The page of a connection; the step writes its first part. */
  record Page(ConnectionShape shape, RowSource operation) implements QuerySource {}

  /** A further part of the page that was read last. */
  record PagePart(int part) implements QuerySource {}

  /** A field of introspection. */
  record Schema(IntrospectionField field) implements QuerySource {}
}
