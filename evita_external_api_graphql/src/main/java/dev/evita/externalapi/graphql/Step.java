// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import graphql.language.SourceLocation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of an answer that comes from one operation, and the fixed JSON before it.
 *
 * @param nullable whether the schema lets null stand in its place
 * @param path where it stands in the answer
 */
record Step(
    byte[] before, Work work, boolean nullable, List<String> path, @Nullable SourceLocation at) {

  /** What makes the JSON. */
  sealed interface Work {

    /**
     * An operation of the engine.
     *
     * @param list whether its rows are a list, or one object or null
     */
    record Rows(boolean list, Shape shape, Source source) implements Work {}

    /** A field of a mutation; only {@link MutationRun} runs it. */
    record Change(MutationSource source) implements Work {}

    /** A field of introspection. */
    record Schema(IntrospectionField field) implements Work {}
  }
}
