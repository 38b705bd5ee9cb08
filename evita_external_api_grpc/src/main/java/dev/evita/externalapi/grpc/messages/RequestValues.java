// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import com.google.protobuf.Message;
import dev.evita.api.Arguments;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Parameter;
import dev.evita.externalapi.core.filter.FilterOperand;
import dev.evita.externalapi.core.json.CursorFormat;
import dev.evita.externalapi.grpc.proto.ColumnTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of an operation, collected while its request is read, and where each comes from: so
 * that those of another request of the same shape are found without reading it. Used by one thread.
 */
public final class RequestValues {

  /** A field of a request of which arguments are made. */
  private sealed interface Origin {

    /**
     * Sets the arguments.
     *
     * @param given the value of the field, as protobuf has it
     */
    void fill(Object given, @Nullable Object[] arguments);
  }

  /**
   * A value, or a list of values of the type.
   *
   * @param where the name of the field, for messages
   */
  private record OfValue(int index, DataType type, boolean list, String where) implements Origin {

    @Override
    public void fill(Object given, @Nullable Object[] arguments) {
      arguments[index] =
          list
              ? MessageValues.elements(type, (Message) given, where)
              : MessageValues.of(type, given, where);
    }
  }

  /** A page token, of the values of the last row of the page before. */
  private record OfCursor(int first, CursorFormat cursors) implements Origin {

    @Override
    public void fill(Object given, @Nullable Object[] arguments) {
      var index = first;
      for (var value : cursors.decode((String) given)) {
        arguments[index++] = value;
      }
    }
  }

  /** A page token, of the number of rows of the pages before. */
  private record OfSkipped(int index) implements Origin {

    @Override
    public void fill(Object given, @Nullable Object[] arguments) {
      arguments[index] = skipped((String) given);
    }
  }

  private final List<@Nullable Object> values = new ArrayList<>();

  /** In the order of the request. */
  private final List<Origin> origins = new ArrayList<>();

  /** The values so far, by the indexes of parameters. */
  public List<@Nullable Object> values() {
    return values;
  }

  /** The values so far. */
  public Arguments arguments() {
    return Arguments.of(values.toArray());
  }

  /**
   * The arguments of another request of the same shape. To be called when this is complete, then on
   * any thread.
   *
   * @param given its values as protobuf has them, in the order of the request
   * @return null where there are more or fewer of them than were read here
   * @throws EvitaException {@code INVALID_VALUE}
   */
  public @Nullable Arguments arguments(Object[] given) {
    if (given.length != origins.size()) {
      return null;
    }
    var all = values.toArray();
    for (int i = 0; i < given.length; i++) {
      origins.get(i).fill(given[i], all);
    }
    return Arguments.of(all);
  }

  /**
   * Forgets the values of the request that was read, which may be long lists, so that this can be
   * kept for its shape: from then on only {@link #arguments(Object[])} may be used.
   *
   * @param given the values of that request, as protobuf has them
   * @return false, and nothing is forgotten, where they do not make the same arguments
   */
  public boolean generalize(Object[] given) {
    var again = arguments(given);
    for (int i = 0; again != null && i < values.size(); i++) {
      if (!Objects.deepEquals(again.get(new Parameter(i)), values.get(i))) {
        return false;
      }
    }
    if (again == null) {
      return false;
    }
    var filled = new Object[values.size()];
    for (int i = 0; i < given.length; i++) {
      origins.get(i).fill(given[i], filled);
    }
    for (int i = 0; i < filled.length; i++) {
      if (filled[i] != null) {
        values.set(i, null);
      }
    }
    return true;
  }

  /** Adds a value that is the same for all requests of the shape. */
  public Parameter constant(@Nullable Object value) {
    values.add(value);
    return new Parameter(values.size() - 1);
  }

  /**
   * Adds a value of the request.
   *
   * @param value as protobuf has it
   * @param where the name of its field, for messages
   * @throws EvitaException {@code INVALID_VALUE}
   */
  public Parameter value(DataType type, Object value, String where) {
    if (value instanceof Boolean) {
      return constant(MessageValues.of(type, value, where)); // it belongs to the shape
    }
    return add(new OfValue(values.size(), type, false, where), value);
  }

  private Parameter add(Origin origin, Object given) {
    var parameter = constant(null);
    var all = values.toArray();
    origin.fill(given, all);
    values.set(parameter.index(), all[parameter.index()]);
    origins.add(origin);
    return parameter;
  }

  /**
   * Adds the values of a page token, one for each column of the order.
   *
   * @throws EvitaException {@code INVALID_VALUE}
   */
  List<Parameter> cursor(CursorFormat cursors, String token) {
    origins.add(new OfCursor(values.size(), cursors));
    return cursors.decode(token).stream().map(this::constant).toList();
  }

  /**
   * Adds the number of rows that a page token skips.
   *
   * @throws EvitaException {@code INVALID_VALUE}
   */
  Parameter skippedRows(String token) {
    return add(new OfSkipped(values.size()), token);
  }

  private static long skipped(String token) {
    try {
      return Long.parseUnsignedLong(token, Character.MAX_RADIX) & Long.MAX_VALUE;
    } catch (NumberFormatException e) {
      throw ReadCall.invalid(
          "page_token is '"
              + MessageValues.shortened(token)
              + "'; expected the next_page_token of the page before");
    }
  }

  /**
   * The filter that compares a column with a value.
   *
   * @param test any but {@code IS_NULL}
   * @param value as protobuf has it: a message with a repeated field for a test of a list
   * @param where the name of its field, for messages
   * @throws EvitaException {@code INVALID_VALUE}
   */
  public Filter test(String column, DataType type, ColumnTest test, Object value, String where) {
    var tested = new FilterOperand.OfColumn(column);
    if (test.ofList()) {
      var origin = new OfValue(values.size(), type, true, where);
      return tested.in(add(origin, value), test.negated());
    }
    var comparison = Objects.requireNonNull(test.comparison());
    var pattern = comparison.kind() == Comparison.Kind.PATTERN;
    var parameter = value(pattern ? DataType.Scalar.TEXT : type, value, where);
    return tested.compare(comparison, parameter, test.negated());
  }
}
