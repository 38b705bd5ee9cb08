// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows. SQL's three-valued logic: a comparison with null is neither true nor false, and only
 * true lets a row through.
 */
public sealed interface Filter {

  /** All of them; true if empty. */
  record And(List<Filter> filters) implements Filter {
    public And {
      filters = List.copyOf(filters);
    }
  }

  /** At least one of them; false if empty. */
  record Or(List<Filter> filters) implements Filter {
    public Or {
      filters = List.copyOf(filters);
    }
  }

  /** The opposite; unknown stays unknown. */
  record Not(Filter filter) implements Filter {}

  /** A column against a value. */
  record Compare(String column, Comparison comparison, Parameter value) implements Filter {}

  /** A column against another of the same row. */
  record CompareColumns(String column, Comparison comparison, String other) implements Filter {}

  /**
   * A column is one of the values of a {@code List}; false if it is empty. Nulls in the list are
   * never equal to anything: as in SQL, where one is in the list a value that is not is unknown
   * rather than false. The shape does not depend on how many values there are.
   */
  record In(String column, Parameter values) implements Filter {}

  /** A column is null. */
  record IsNull(String column) implements Filter {}

  /** A value inside of JSON passes a test. */
  record AtPath(Output.Path path, Test test) implements Filter {}

  /**
   * The words of a column match a query of the engine's language for full text. A query that the
   * engine cannot read fails with {@code INVALID_DATA}.
   *
   * @param column of text or JSON, or of a type that the engine has for words
   * @param language how words are told apart, by the engine's name for it; null for its default
   */
  record FullText(String column, Search search, @Nullable String language, Parameter query)
      implements Filter {
    public FullText {
      Values.requireWithoutNul(language, "the language of a full text search");
    }
  }

  /** How the query of a {@link FullText} is written. */
  enum Search {
    /** Words with operators between them. */
    OPERATORS,
    /** Words that must all be there. */
    WORDS,
    /** Words that must follow one another. */
    PHRASE,
    /** As users of search engines write. */
    WEB
  }

  /** At least one related row passes the filter; columns in it are those of the related table. */
  record Exists(Relationship relationship, Filter filter) implements Filter {}

  /**
   * An aggregate over the related rows passes a test.
   *
   * @param where which of the related rows; null for all. Columns in it are those of the related
   *     table
   */
  record Aggregated(
      Relationship relationship, @Nullable Filter where, Output.Aggregate aggregate, Test test)
      implements Filter {}

  /** What is asked about a value. */
  sealed interface Test {

    /** As {@link Filter.Compare}. */
    record Compare(Comparison comparison, Parameter value) implements Test {}

    /** As {@link Filter.In}. */
    record In(Parameter values) implements Test {}

    /** As {@link Filter.IsNull}. */
    record IsNull() implements Test {}
  }
}
