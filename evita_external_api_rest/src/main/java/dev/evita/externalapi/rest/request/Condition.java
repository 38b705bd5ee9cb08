// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter of a URL without its values, which are held by {@link ReadQuery#values}. */
public sealed interface Condition {

  /** The quantifier: all of several values must match, or one of them. */
  enum Quantifier {
    ONE,
    ANY,
    ALL
  }

  /**
   * A comparison of a column with values.
   *
   * @param field a column or what is inside of one, or an embedded resource for {@code is.null}
   * @param word for {@link Operator#IS}: the tested value; for full text: the language
   * @param first the index of the first value
   * @param count the number of values
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

  /** A combination of several conditions. */
  record Group(boolean negated, boolean all, List<Condition> members) implements Condition {
    public Group {
      members = List.copyOf(members);
    }
  }
}
