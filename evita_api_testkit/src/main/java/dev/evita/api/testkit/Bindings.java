// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.InsertRows;
import dev.evita.api.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the values of one execution while its operation is built: each call with a value returns
 * the next parameter. Not thread-safe.
 */
public final class Bindings {

  private final List<@Nullable Object> values = new ArrayList<>();

  /** Returns the next parameter, bound to this value. */
  public Parameter value(@Nullable Object value) {
    values.add(value);
    return new Parameter(values.size() - 1);
  }

  /** Returns the next parameters, bound to these values. */
  public List<Parameter> values(@Nullable Object... all) {
    return Arrays.stream(all).map(this::value).toList();
  }

  /** A column compared with a value. */
  public Filter compare(String column, Comparison comparison, @Nullable Object value) {
    return new Filter.Compare(column, comparison, value(value));
  }

  /** A column equals a value. */
  public Filter equal(String column, @Nullable Object value) {
    return compare(column, Comparison.EQUAL, value);
  }

  /** A column is one of these. */
  public Filter in(String column, List<?> list) {
    return new Filter.In(column, value(list));
  }

  /** The rows of an insert. */
  public Parameter rows(List<? extends List<? extends @Nullable Object>> rows) {
    return value(new InsertRows(rows.stream().map(row -> row.toArray()).toList()));
  }

  /** All values so far. */
  public Arguments arguments() {
    return Arguments.of(values.toArray());
  }
}
