// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter of a URL without its values, which stand in {@link ReadQuery#values}. */
public sealed interface Condition {

  /** Whether several values must all pass, or one of them. */
  enum Quantifier {
    ONE,
    ANY,
    ALL
  }

  /**
   * A column against values.
   *
   * @param field a column or what is inside of one, or an embedded resource for {@code is.null}
   * @param word for {@link Operator#IS}: what it is; for full text: the language
   * @param first the index of the first value
   * @param count how many there are
   */
  record Test(
      FieldPath field,
      boolean negated,
      Operator operator,
      Quantifier quantifier,
      @Nullable String word,
      int first,
      int count)
      implements Condition {}

  /** Several of them. */
  record Group(boolean negated, boolean all, List<Condition> members) implements Condition {
    public Group {
      members = List.copyOf(members);
    }
  }
}
