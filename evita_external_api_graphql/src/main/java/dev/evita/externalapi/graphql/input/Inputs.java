// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import dev.evita.externalapi.core.json.ArrayText;
import dev.evita.externalapi.core.json.JsonValues;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.model.TypeModel;
import graphql.language.ArrayValue;
import graphql.language.BooleanValue;
import graphql.language.EnumValue;
import graphql.language.FloatValue;
import graphql.language.IntValue;
import graphql.language.NullValue;
import graphql.language.ObjectValue;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.language.VariableReference;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLList;
import graphql.schema.GraphQLNonNull;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Input coercion (GraphQL, sections 3.5 to 3.12 and 6.1.2), of variables' JSON and of literals.
 *
 * <p>Both become the same: null; the class that {@link dev.evita.api.Arguments} names for a scalar;
 * the name of an enum value; a {@code List}; a {@code Map} in the order in which it was written,
 * which is what {@code order_by} is about. In literals a {@link Placeholder} may stand for any of
 * them.
 */
public final class Inputs {

  private final TypeModel types;

  public Inputs(TypeModel types) {
    this.types = types;
  }

  /**
   * A variable's value.
   *
   * @throws EvitaException {@code INVALID_VALUE}, naming the way to the value
   */
  public @Nullable Object fromJson(GraphQLType type, @Nullable Object json, ValuePath where) {
    if (type instanceof GraphQLNonNull nonNull) {
      if (json == null) {
        throw invalid(
            where, "null is not valid here; expected " + describe(nonNull.getWrappedType()));
      }
      return fromJson(nonNull.getWrappedType(), json, where);
    }
    if (json == null) {
      return null;
    }
    return switch (type) {
      case GraphQLScalarType scalar -> scalar(scalar.getName(), json, where);
      case GraphQLList list -> listFromJson(list, json, where);
      case GraphQLInputObjectType object -> objectFromJson(object, json, where);
      case GraphQLEnumType enumeration -> enumValue(enumeration, json, where);
      default -> throw new IllegalStateException("not an input type: " + type);
    };
  }

  private List<@Nullable Object> listFromJson(GraphQLList type, Object json, ValuePath where) {
    var element = type.getWrappedType();
    var values = new ArrayList<@Nullable Object>();
    if (!(json instanceof List<?> list)) {
      var array = json instanceof String text && ArrayText.isArray(text) ? arrayType(type) : null;
      if (array != null) {
        var elements = array(array, (String) json, where);
        if (element instanceof GraphQLNonNull && elements.contains(null)) {
          throw invalid(where, "null is not valid here; expected " + describe(element));
        }
        return elements;
      }
      values.add(fromJson(element, json, where));
      return values;
    }
    for (int i = 0; i < list.size(); i++) {
      values.add(fromJson(element, list.get(i), where.element(i)));
    }
    return values;
  }

  /**
   * The array that a text in braces is where a list is expected; null where it is the one element
   * of the list. Of lists that stand for the database's arrays, elements may be null; in others, a
   * text in braces is an element where that can be one.
   */
  private DataType.@Nullable Array arrayType(GraphQLType type) {
    if (!(type instanceof GraphQLList list)) {
      return null;
    }
    var inner = GraphQLTypeUtil.unwrapNonNull(list.getWrappedType());
    var element =
        inner instanceof GraphQLScalarType scalar
            ? types.scalar(scalar.getName())
            : arrayType(inner);
    var isElement = list.getWrappedType() instanceof GraphQLNonNull && mayHaveBraces(element);
    return element == null || isElement ? null : new DataType.Array(element);
  }

  private static boolean mayHaveBraces(@Nullable DataType type) {
    return type == DataType.Scalar.TEXT
        || type == DataType.Scalar.JSON
        || type instanceof DataType.Enumeration
        || type instanceof DataType.Other;
  }

  /** The elements of a text that holds an array. */
  static List<@Nullable Object> array(DataType.Array type, String text, ValuePath where) {
    try {
      return ArrayText.parse(type, text);
    } catch (EvitaException e) {
      throw invalid(where, e.publicMessage());
    }
  }

  private Map<String, @Nullable Object> objectFromJson(
      GraphQLInputObjectType type, Object json, ValuePath where) {
    if (!(json instanceof Map<?, ?> map)) {
      throw invalid(where, "expected an object of type " + type.getName());
    }
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (var entry : map.entrySet()) {
      var name = String.valueOf(entry.getKey());
      var field = type.getFieldDefinition(name);
      if (field == null) {
        throw invalid(where, "there is no field '" + name + "' in " + type.getName());
      }
      values.put(name, fromJson(field.getType(), entry.getValue(), where.member(name)));
    }
    requireFields(type, values, where);
    return values;
  }

  /** Defaults of generated schemas are what is meant without a value, and need not be put in. */
  private static void requireFields(
      GraphQLInputObjectType type, Map<String, @Nullable Object> values, ValuePath where) {
    for (var field : type.getFieldDefinitions()) {
      if (field.getType() instanceof GraphQLNonNull
          && !field.hasSetDefaultValue()
          && !values.containsKey(field.getName())) {
        throw invalid(where, "the field '" + field.getName() + "' is missing");
      }
    }
  }

  private static String enumValue(GraphQLEnumType type, Object json, ValuePath where) {
    if (json instanceof String name && type.getValue(name) != null) {
      return name;
    }
    throw invalid(where, "'" + json + "' is not one of " + describe(type));
  }

  /** A scalar from JSON. The scalars that GraphQL defines do not take another's form. */
  public Object scalar(String name, Object json, ValuePath where) {
    var type = types.scalar(name);
    if (type == null) {
      return id(name, json, where);
    }
    if (json instanceof Long number && type == DataType.Scalar.INT32) {
      if (number.intValue() == number) {
        return number;
      }
      throw mismatch(type, json, where);
    }
    if (json instanceof String && strict(type)) {
      throw mismatch(type, json, where);
    }
    try {
      var value = JsonValues.coerce(type, json, "");
      if (value != null) {
        return value;
      }
      throw mismatch(type, json, where);
    } catch (EvitaException e) {
      throw mismatch(type, json, where);
    }
  }

  private static boolean strict(DataType type) {
    return type == DataType.Scalar.INT32
        || type == DataType.Scalar.FLOAT32
        || type == DataType.Scalar.BOOLEAN;
  }

  /** {@code ID} stands in no generated field, but a document may declare a variable of it. */
  private static Object id(String name, Object json, ValuePath where) {
    if (json instanceof String || json instanceof Long) {
      return json.toString();
    }
    throw invalid(where, "expected " + name);
  }

  private static EvitaException mismatch(DataType type, Object json, ValuePath where) {
    var shown =
        switch (json) {
          case Map<?, ?> map -> "an object";
          case List<?> list -> "a list";
          case String text when text.length() > 80 -> "'" + text.substring(0, 80) + "...'";
          case String text -> "'" + text + "'";
          default -> json.toString();
        };
    return invalid(where, shown + " is not valid here; expected " + Values.expected(type));
  }

  /**
   * A literal's value.
   *
   * @param variables the operation's variables by name; empty where none may stand
   * @throws EvitaException {@code INVALID_VALUE}, naming the way to the value
   */
  public @Nullable Object fromLiteral(
      GraphQLType type, Value<?> literal, Map<String, VariableRef> variables, ValuePath where) {
    if (literal instanceof VariableReference reference) {
      var variable = variable(reference, variables, where);
      var array = arrayType(GraphQLTypeUtil.unwrapNonNull(type));
      return array == null ? variable : new ArrayVariable(variable, array);
    }
    if (type instanceof GraphQLNonNull nonNull) {
      if (literal instanceof NullValue) {
        throw invalid(
            where, "null is not valid here; expected " + describe(nonNull.getWrappedType()));
      }
      return fromLiteral(nonNull.getWrappedType(), literal, variables, where);
    }
    if (literal instanceof NullValue) {
      return null;
    }
    return switch (type) {
      case GraphQLScalarType scalar ->
          scalarFromLiteral(scalar.getName(), literal, variables, where);
      case GraphQLList list -> listFromLiteral(list, literal, variables, where);
      case GraphQLInputObjectType object -> objectFromLiteral(object, literal, variables, where);
      case GraphQLEnumType enumeration when literal instanceof EnumValue value ->
          enumValue(enumeration, value.getName(), where);
      default -> throw invalid(where, "expected " + describe(type));
    };
  }

  private Object scalarFromLiteral(
      String name, Value<?> literal, Map<String, VariableRef> variables, ValuePath where) {
    var json = json(literal, reference -> variable(reference, variables, where), where);
    return types.scalar(name) == DataType.Scalar.JSON && JsonLiteral.isOpen(json)
        ? new JsonLiteral(json)
        : scalar(name, json, where);
  }

  private static VariableRef variable(
      VariableReference reference, Map<String, VariableRef> variables, ValuePath where) {
    var variable = variables.get(reference.getName());
    if (variable == null) {
      throw invalid(where, "the variable $" + reference.getName() + " cannot be used here");
    }
    return variable;
  }

  private List<@Nullable Object> listFromLiteral(
      GraphQLList type, Value<?> literal, Map<String, VariableRef> variables, ValuePath where) {
    var element = type.getWrappedType();
    var values = new ArrayList<@Nullable Object>();
    var text = literal instanceof StringValue string ? string.getValue() : null;
    if (text != null && ArrayText.isArray(text)) {
      var known = arrayType(type);
      if (known != null) {
        return array(known, text, where);
      }
    }
    if (!(literal instanceof ArrayValue array)) {
      values.add(fromLiteral(element, literal, variables, where));
      return values;
    }
    for (Value<?> value : array.getValues()) {
      values.add(fromLiteral(element, value, variables, where.element(values.size())));
    }
    return values;
  }

  private Map<String, @Nullable Object> objectFromLiteral(
      GraphQLInputObjectType type,
      Value<?> literal,
      Map<String, VariableRef> variables,
      ValuePath where) {
    if (!(literal instanceof ObjectValue object)) {
      throw invalid(where, "expected an object of type " + type.getName());
    }
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (var member : object.getObjectFields()) {
      var name = member.getName();
      var field = type.getFieldDefinition(name);
      if (field == null) {
        throw invalid(where, "there is no field '" + name + "' in " + type.getName());
      }
      values.put(
          name, fromLiteral(field.getType(), member.getValue(), variables, where.member(name)));
    }
    return values;
  }

  /** A literal without variables as the JSON that a request would give for it. */
  public static Object constant(Value<?> literal, ValuePath where) {
    return json(literal, reference -> variable(reference, Map.of(), where), where);
  }

  /**
   * A literal as the JSON that a request would give for it.
   *
   * @param variables what a variable within it comes to
   */
  public static Object json(
      Value<?> literal, Function<VariableReference, Object> variables, ValuePath where) {
    return switch (literal) {
      case IntValue number -> integer(number.getValue());
      case FloatValue number -> number.getValue();
      case StringValue text -> Objects.requireNonNull(text.getValue());
      case BooleanValue bool -> bool.isValue();
      case ArrayValue array -> list(array, variables, where);
      case ObjectValue object -> map(object, variables, where);
      case EnumValue value -> value.getName();
      case VariableReference reference -> variables.apply(reference);
      default ->
          throw invalid(where, "expected a number, a string, a boolean, a list or an object");
    };
  }

  private static Object integer(BigInteger number) {
    return number.bitLength() < Long.SIZE ? (Object) number.longValue() : new BigDecimal(number);
  }

  private static List<@Nullable Object> list(
      ArrayValue array, Function<VariableReference, Object> variables, ValuePath where) {
    var values = new ArrayList<@Nullable Object>();
    for (Value<?> value : array.getValues()) {
      var at = where.element(values.size());
      values.add(value instanceof NullValue ? null : json(value, variables, at));
    }
    return values;
  }

  private static Map<String, @Nullable Object> map(
      ObjectValue object, Function<VariableReference, Object> variables, ValuePath where) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (var member : object.getObjectFields()) {
      var value = member.getValue();
      var name = member.getName();
      var at = where.member(name);
      values.put(name, value instanceof NullValue ? null : json(value, variables, at));
    }
    return values;
  }

  private static String describe(GraphQLType type) {
    return switch (type) {
      case GraphQLNonNull nonNull -> describe(nonNull.getWrappedType());
      case GraphQLList list -> "a list";
      case GraphQLEnumType enumeration -> "the values of " + enumeration.getName();
      case GraphQLScalarType scalar -> scalar.getName();
      case GraphQLInputObjectType object -> "an object of type " + object.getName();
      default -> type.toString();
    };
  }

  public static EvitaException invalid(ValuePath where, String problem) {
    return new EvitaException(ErrorCode.INVALID_VALUE, where + ": " + problem);
  }
}
