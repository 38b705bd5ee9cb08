// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Parameter;
import dev.evita.engine.jdbc.value.ArgumentCoercion;
import dev.evita.engine.jdbc.value.Codec;
import dev.evita.engine.jdbc.value.ParentKeys;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a {@code ?} of a rendered statement is bound to. */
public sealed interface Bind {

  /**
   * Binds it.
   *
   * @param keys the parents' keys, in a statement for a nested level
   */
  void bind(PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
      throws SQLException;

  /** One value, of a column's type. */
  record Value(Parameter parameter, Codec codec) implements Bind {
    @Override
    public void bind(
        PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
        throws SQLException {
      codec.bind(statement, index, argument(arguments, parameter));
    }
  }

  /** A pattern, in the form that the database's operator wants. */
  record Pattern(Parameter parameter, Codec codec, UnaryOperator<String> form) implements Bind {
    @Override
    public void bind(
        PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
        throws SQLException {
      var value = argument(arguments, parameter);
      codec.bind(statement, index, value instanceof String text ? form.apply(text) : value);
    }
  }

  /** Whether a value is null, as a truth value. */
  record Absent(Parameter parameter) implements Bind {
    @Override
    public void bind(
        PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
        throws SQLException {
      statement.setBoolean(index, argument(arguments, parameter) == null);
    }
  }

  /** All values of a list, as one parameter. */
  record Values(Parameter parameter, Codec codec) implements Bind {
    @Override
    public void bind(
        PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
        throws SQLException {
      var value = argument(arguments, parameter);
      if (!(value instanceof List<?> list)) {
        throw new EvitaException(
            ErrorCode.INVALID_VALUE, codec.where() + " is compared with a list; got " + value);
      }
      var checked = ArgumentCoercion.elements(codec.type(), list, codec.where());
      codec.bindMany(statement, index, checked);
    }
  }

  /** A number of rows; null is as many as there are. */
  record Count(Parameter parameter, long absent) implements Bind {
    @Override
    public void bind(
        PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
        throws SQLException {
      statement.setLong(index, count(arguments, parameter, absent));
    }
  }

  /** The number of the last row: offset plus limit, without overflow. */
  record Last(@Nullable Parameter offset, Parameter limit) implements Bind {
    @Override
    public void bind(
        PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
        throws SQLException {
      var skipped = offset == null ? 0 : count(arguments, offset, 0);
      var last = skipped + count(arguments, limit, Long.MAX_VALUE);
      statement.setLong(index, last < 0 ? Long.MAX_VALUE : last);
    }
  }

  /** The first key's part, for a level of a single parent. */
  record KeyPart(int column, Codec codec) implements Bind {
    @Override
    public void bind(
        PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
        throws SQLException {
      codec.bindChecked(statement, index, given(keys).values(column).getFirst());
    }
  }

  /** One part of all keys, as one parameter. */
  record KeyParts(int column, Codec codec) implements Bind {
    @Override
    public void bind(
        PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
        throws SQLException {
      codec.bindMany(statement, index, given(keys).values(column));
    }
  }

  /** All keys as one text, which the database takes apart again. */
  record KeyText(Function<ParentKeys, String> text) implements Bind {
    @Override
    public void bind(
        PreparedStatement statement, int index, Arguments arguments, @Nullable ParentKeys keys)
        throws SQLException {
      statement.setString(index, text.apply(given(keys)));
    }
  }

  /**
   * The argument.
   *
   * @throws EvitaException {@code INVALID_OPERATION} if it is missing
   */
  static @Nullable Object argument(Arguments arguments, Parameter parameter) {
    if (parameter.index() < 0 || parameter.index() >= arguments.size()) {
      throw new EvitaException(
          ErrorCode.INVALID_OPERATION,
          "Argument %d is missing; %d are given".formatted(parameter.index(), arguments.size()));
    }
    return arguments.get(parameter);
  }

  private static ParentKeys given(@Nullable ParentKeys keys) {
    return Objects.requireNonNull(keys, "a nested level runs with its parents' keys");
  }

  /**
   * A number of rows.
   *
   * @throws EvitaException {@code INVALID_VALUE} for what is not a non-negative integer
   */
  static long count(Arguments arguments, Parameter parameter, long absent) {
    var value = argument(arguments, parameter);
    if (value == null) {
      return absent;
    }
    try {
      var number =
          switch (value) {
            case Long exact -> exact;
            case Integer exact -> exact.longValue();
            case Short exact -> exact.longValue();
            case BigInteger exact -> exact.longValueExact();
            case BigDecimal exact -> exact.longValueExact();
            default -> -1L;
          };
      if (number >= 0) {
        return number;
      }
    } catch (ArithmeticException e) {
      // answered below
    }
    throw new EvitaException(
        ErrorCode.INVALID_VALUE,
        "'" + value + "' is not a number of rows; expected an integer from 0");
  }
}
