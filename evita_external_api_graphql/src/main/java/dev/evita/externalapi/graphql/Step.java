// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.Shape;
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

    /** The query that it runs; null where it runs none. */
    default @Nullable Source query() {
      return switch (this) {
        case Rows rows -> rows.source();
        case Page page -> page.source();
        case PagePart part -> null;
        case Change change -> null;
        case Stream stream -> null;
        case Schema schema -> null;
      };
    }

    /**
     * An operation of the engine.
     *
     * @param list whether its rows are a list, or one object or null
     */
    record Rows(boolean list, Shape shape, Source source) implements Work {}

    /**
     * The page of a connection; its first part stands here.
     *
     * @param part which of the shape's
     */
    record Page(ConnectionShape shape, int part, Source source) implements Work {}

    /** A further part of the page that was read last. */
    record PagePart(int part) implements Work {}

    /** A field of a mutation; only {@link MutationRun} runs it. */
    record Change(MutationSource source) implements Work {}

    /** A streaming field of a subscription; only {@link StreamRun} runs it. */
    record Stream(StreamSource source) implements Work {}

    /** A field of introspection. */
    record Schema(IntrospectionField field) implements Work {}
  }
}
