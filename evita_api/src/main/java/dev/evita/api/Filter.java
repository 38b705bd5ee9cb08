// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on rows, in SQL's three-valued logic: a comparison with null is neither true nor
 * false, and only rows for which the condition is true pass.
 */
public sealed interface Filter {

  /** All conditions; true if empty. */
  record And(List<Filter> filters) implements Filter {
    public And {
      filters = List.copyOf(filters);
    }
  }

  /** At least one condition; false if empty. */
  record Or(List<Filter> filters) implements Filter {
    public Or {
      filters = List.copyOf(filters);
    }
  }

  /** The negation; unknown stays unknown. */
  record Not(Filter filter) implements Filter {}

  /** A column compared with a value. */
  record Compare(String column, Comparison comparison, Parameter value) implements Filter {}

  /** A column compared with another one of the same row. */
  record CompareColumns(String column, Comparison comparison, String other) implements Filter {}

  /**
   * A column is one of the values of a {@code List}; false if it is empty. Nulls in the list are
   * never equal to a value: as in SQL, if the list contains a null, the result for other values is
   * unknown rather than false. The shape does not depend on the number of values.
   */
  record In(String column, Parameter values) implements Filter {}

  /** A column is null. */
  record IsNull(String column) implements Filter {}

  /** A value inside JSON passes a test. */
  record AtPath(Output.Path path, Test test) implements Filter {}

  /**
   * The words of a column match a full-text query in the engine's language. A query that the engine
   * cannot parse fails with {@code INVALID_DATA}.
   *
   * @param column of text or JSON, or of an engine-specific type for words
   * @param language the engine's name of the text search configuration; null for its default
   */
  record FullText(String column, Search search, @Nullable String language, Parameter query)
      implements Filter {
    public FullText {
      Values.requireWithoutNul(language, "the language of a full text search");
    }
  }

  /** The syntax of a {@link FullText} query. */
  enum Search {
    /** Words with operators between them. */
    OPERATORS,
    /** Words that must all occur. */
    WORDS,
    /** Words that must occur in sequence. */
    PHRASE,
    /** Web search syntax. */
    WEB
  }

  /** At least one related row passes the filter; columns in it are those of the related table. */
  record Exists(Relationship relationship, Filter filter) implements Filter {}

  /**
   * An aggregate over the related rows passes a test.
   *
   * @param where selects the related rows; null for all. Columns in it are those of the related
   *     table
   */
  record Aggregated(
      Relationship relationship, @Nullable Filter where, Output.Aggregate aggregate, Test test)
      implements Filter {}

  /** A test of a value. */
  sealed interface Test {

    /** See {@link Filter.Compare}. */
    record Compare(Comparison comparison, Parameter value) implements Test {}

    /** See {@link Filter.In}. */
    record In(Parameter values) implements Test {}

    /** See {@link Filter.IsNull}. */
    record IsNull() implements Test {}
  }
}
