// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import dev.evita.externalapi.core.json.ArrayText;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.model.TypeModel;
import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.language.VariableReference;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import graphql.schema.CoercingParseValueException;
import graphql.schema.GraphQLScalarType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A scalar that GraphQL does not define: its literals are validated as variables are. */
record CustomScalar(String name, TypeModel types) implements Coercing<Object, Object> {

  static GraphQLScalarType of(String name, TypeModel types) {
    var type = types.scalar(name);
    return GraphQLScalarType.newScalar()
        .name(name)
        .description(type == null ? null : "JSON: " + Values.expected(type) + ".")
        .coercing(new CustomScalar(name, types))
        .build();
  }

  @Override
  public Object serialize(Object result, GraphQLContext context, Locale locale) {
    return result;
  }

  @Override
  public @Nullable Object parseValue(Object input, GraphQLContext context, Locale locale) {
    try {
      return new Inputs(types).scalar(name, input, ValuePath.of(name));
    } catch (EvitaException e) {
      throw new CoercingParseValueException(e.publicMessage());
    }
  }

  @Override
  public @Nullable Object parseLiteral(
      Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
    try {
      var where = ValuePath.of(name);
      return new Inputs(types)
          .scalar(name, Inputs.json(input, CustomScalar::anyValue, where), where);
    } catch (EvitaException e) {
      var text = input instanceof StringValue string ? string.getValue() : null;
      if (text != null && ArrayText.isArray(text)) {
        return text; // of an array, perhaps, which is seen when the value is read
      }
      throw new CoercingParseLiteralException(e.publicMessage());
    }
  }

  /** What stands for a variable within a literal: JSON takes any value there, others take none. */
  private static Object anyValue(VariableReference unused) {
    return "";
  }
}
