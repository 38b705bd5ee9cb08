// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.Set;

/**
 * An operation of an engine: a <em>shape</em> that is prepared once. The values come with each
 * execution as {@link Arguments}; the shape contains {@link Parameter}s.
 *
 * <p>{@link Engine#prepare} rejects an inconsistent operation with {@code INVALID_OPERATION}: a
 * relationship that does not start at the table it is used on, an order through a relationship that
 * is not single, a column set twice, a plain column beside aggregates that is not grouped by, a sum
 * of texts, a conflict on columns that are no key.
 *
 * <p>Operations are immutable and compare by value: equal operations of one catalog epoch may share
 * one {@link Prepared}. All names are exact database names.
 */
public sealed interface Operation
    permits Select, Insert, Update, Delete, Call, Script, NativeQuery {

  /**
   * The capabilities that an engine needs for this operation, in the order of {@link Capability};
   * empty for the core of the contract. {@link Capability#DEFAULT_IN_ROWS} is never among them, as
   * it depends on the arguments.
   *
   * @param catalog provides the types of columns; a column that is not in it requires nothing
   */
  default Set<Capability> requiredCapabilities(Catalog catalog) {
    return RequiredCapabilities.of(this, catalog);
  }
}
