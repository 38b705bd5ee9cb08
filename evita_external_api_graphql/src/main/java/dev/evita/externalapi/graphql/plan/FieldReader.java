// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.FieldCollector;
import dev.evita.externalapi.graphql.input.RowArguments;
import dev.evita.externalapi.graphql.input.VariableRef;
import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import graphql.language.Field;
import graphql.schema.GraphQLFieldDefinition;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of an operation: their selections, for one outcome of its conditions, and their
 * arguments, which may still hold {@link VariableRef}s.
 */
public final class FieldReader {

  public static final String TYPE_NAME = "__typename";

  private final GraphQlSchema api;
  private final FieldCollector collector;
  private final Map<String, VariableRef> variables;

  public FieldReader(
      GraphQlSchema api, FieldCollector collector, Map<String, VariableRef> variables) {
    this.api = api;
    this.collector = collector;
    this.variables = variables;
  }

  /** Returns the fields below these, by response key, in the order of the response. */
  public Map<String, List<Field>> collect(String typeName, List<Field> parents) {
    return collector.collect(
        typeName, parents.stream().map(Field::getSelectionSet).filter(Objects::nonNull).toList());
  }

  /** Returns the definition of a field of an object type. */
  public GraphQLFieldDefinition definition(String typeName, Field field) {
    return api.objectType(typeName).getFieldDefinition(field.getName());
  }

  /** Returns the arguments of a list of rows at the root. */
  public RowArguments rowArguments(Field field) {
    return rowArguments(definition(ApiModel.QUERY_ROOT, field), field, null);
  }

  /** Returns the arguments of a list of rows below a row of the type. */
  RowArguments rowArguments(String typeName, Field field) {
    return rowArguments(definition(typeName, field), field, ValuePath.of(field.getResultKey()));
  }

  private RowArguments rowArguments(
      GraphQLFieldDefinition definition, Field field, @Nullable ValuePath trail) {
    return new RowArguments(
        argument(definition, field, "where", trail),
        argument(definition, field, "order_by", trail),
        argument(definition, field, "distinct_on", trail),
        argument(definition, field, "limit", trail),
        argument(definition, field, "offset", trail),
        argument(definition, field, "by", trail),
        trail);
  }

  /**
   * Returns an argument; null if it is not given.
   *
   * @param trail the path of the field, for messages; null at the root
   */
  public @Nullable Object argument(
      GraphQLFieldDefinition definition, Field field, String name, @Nullable ValuePath trail) {
    for (var argument : field.getArguments()) {
      if (argument.getName().equals(name)) {
        var type = definition.getArgument(name).getType();
        var where = trail == null ? ValuePath.of(name) : trail.member(name);
        return api.inputs().fromLiteral(type, argument.getValue(), variables, where);
      }
    }
    return null;
  }

  /**
   * Rejects a selection that is nested too deeply.
   *
   * @throws EvitaException {@code TOO_DEEP}
   */
  void requireDepth(int depth) {
    api.depthLimit().require("selection", depth);
  }
}
