// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements in the engine's own language that read one row of input as a relation, for example
 * {@code select name from users join request on users.handle = request.handle}.
 *
 * <p>Unlike a {@link Script}, it is compiled by {@link Engine#prepare}, and {@link
 * Prepared#shape()} has the columns of the last statement, whose rows are passed to the sink;
 * earlier rows are dropped. The values of the input are bound, never part of the text.
 *
 * <p>{@link Engine#prepare} fails with {@code INVALID_SCRIPT} for a text that does not compile,
 * that changes the schema or the session, or that begins or ends a transaction; the message begins
 * with the line, one-based: {@code line 3: ...}. It fails with {@code READ_ONLY} for a statement
 * that writes in a read-only query.
 *
 * <p>The input is one row, or any number of rows if {@code rows} is set: then a result row belongs
 * to the input row whose values it returns; nothing else connects them.
 *
 * <p>A query that is not read-only must be executed in a {@link Transaction}, else {@code
 * INVALID_OPERATION}.
 *
 * @param text statements separated by semicolons, without parameters
 * @param relation the name of the input in the text, in lower case
 * @param inputs the columns of the input
 * @param readOnly whether it changes no data
 * @param rows the argument of type {@link InsertRows}, each row with as many values as there are
 *     inputs, in their order; null if the input is one row of the inputs' own values
 */
public record NativeQuery(
    String text, String relation, List<Input> inputs, boolean readOnly, @Nullable Parameter rows)
    implements Operation {

  /**
   * A column of the input.
   *
   * @param name in lower case: letters, digits and underscores
   */
  public record Input(String name, DataType.Scalar type, Parameter value) {}

  public NativeQuery {
    inputs = List.copyOf(inputs);
  }

  /** A query over one row of input. */
  public NativeQuery(String text, String relation, List<Input> inputs, boolean readOnly) {
    this(text, relation, inputs, readOnly, null);
  }

  /** The same query over many rows of input, which are the only argument. */
  public NativeQuery overRows() {
    return new NativeQuery(text, relation, inputs, readOnly, new Parameter(0));
  }
}
