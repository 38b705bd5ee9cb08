// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import dev.evita.api.Arguments;
import dev.evita.externalapi.core.live.ValuePath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arguments of a settled shape: constants, and places that variables fill. */
public final class BoundArguments {

  /** A number of rows that a variable gives. */
  public record RowCount(VariableRef variable, ValuePath where) {}

  /** A list some of whose members variables give. */
  public record Members(List<@Nullable Object> members) {}

  private final @Nullable Object[] template;
  private final @Nullable Arguments constant;

  public BoundArguments(@Nullable Object[] template) {
    this.template = template;
    for (var argument : template) {
      if (argument instanceof Placeholder
          || argument instanceof RowCount
          || argument instanceof Members) {
        this.constant = null;
        return;
      }
    }
    this.constant = Arguments.of(template);
  }

  /** Whether no variable is in them. */
  public boolean isConstant() {
    return constant != null;
  }

  /**
   * The arguments with these values of variables.
   *
   * @return null where a variable is null or absent: then the shape does not hold
   */
  public @Nullable Arguments with(Object[] values) {
    if (constant != null) {
      return constant;
    }
    var filled = new Object[template.length];
    for (int i = 0; i < template.length; i++) {
      var argument = template[i];
      var value = argument == null ? null : fill(argument, values);
      if (value == null && argument != null) {
        return null;
      }
      filled[i] = value;
    }
    return Arguments.of(filled);
  }

  private static @Nullable Object fill(Object argument, Object[] values) {
    return switch (argument) {
      case Placeholder placeholder -> given(placeholder, values);
      case RowCount(var variable, var where) -> {
        var count = given(variable, values);
        yield count == null ? null : requireRowCount(count, where);
      }
      case Members(var members) -> members(members, values);
      default -> argument;
    };
  }

  private static @Nullable Object given(Placeholder placeholder, Object[] values) {
    var value = placeholder.value(values);
    return value instanceof AbsentValue ? null : value;
  }

  private static @Nullable Object members(List<@Nullable Object> members, Object[] values) {
    var filled = new ArrayList<@Nullable Object>(members.size());
    for (var member : members) {
      var value = member instanceof Placeholder open ? given(open, values) : member;
      if (value == null) {
        return null;
      }
      filled.add(value);
    }
    return filled;
  }

  public static Object requireRowCount(Object count, ValuePath where) {
    if (((Number) count).longValue() < 0) {
      throw Inputs.invalid(where, count + " is not valid here; expected a number of at least 0");
    }
    return count;
  }
}
