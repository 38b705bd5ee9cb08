// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.DataType;
import dev.evita.api.Output;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLOutputType;
import graphql.schema.GraphQLTypeReference;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The aggregates that are computed per column: {@code sum { price }}. */
public enum AggregateFunction {
  AVG(Output.Function.AVG),
  MAX(Output.Function.MAX),
  MIN(Output.Function.MIN),
  SUM(Output.Function.SUM);

  private final Output.Function function;

  AggregateFunction(Output.Function function) {
    this.function = function;
  }

  public Output.Function function() {
    return function;
  }

  public String fieldName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the function of a field of an aggregate. */
  public static AggregateFunction of(String fieldName) {
    return valueOf(fieldName.toUpperCase(Locale.ROOT));
  }

  /** Returns the object type that holds this function of a table's columns. */
  public String typeName(TableModel table) {
    return switch (this) {
      case AVG -> table.names().avgFields();
      case MAX -> table.names().maxFields();
      case MIN -> table.names().minFields();
      case SUM -> table.names().sumFields();
    };
  }

  /** Returns the input that orders by this function of a table's columns. */
  public String orderName(TableModel table) {
    return switch (this) {
      case AVG -> table.names().avgOrderBy();
      case MAX -> table.names().maxOrderBy();
      case MIN -> table.names().minOrderBy();
      case SUM -> table.names().sumOrderBy();
    };
  }

  /** Returns the columns of a table that have such an aggregate. */
  public List<FieldModel.OfColumn> columns(TableModel table) {
    return table.columns().stream().filter(field -> takes(field.column().type())).toList();
  }

  /**
   * Returns the object type of {@link #typeName} itself; null if no column of the table has such an
   * aggregate.
   */
  public @Nullable GraphQLObjectType fields(
      TableModel table, Function<DataType, GraphQLOutputType> types) {
    var object = GraphQLObjectType.newObject().name(typeName(table));
    var empty = true;
    for (var field : columns(table)) {
      object.field(
          GraphQLFieldDefinition.newFieldDefinition()
              .name(field.name())
              .type(result(field.column().type(), types)));
      empty = false;
    }
    return empty ? null : object.build();
  }

  private boolean takes(DataType type) {
    return switch (this) {
      case AVG, SUM -> Comparisons.numeric(type);
      case MIN, MAX -> Comparisons.extremes(type);
    };
  }

  private GraphQLOutputType result(DataType type, Function<DataType, GraphQLOutputType> types) {
    return switch (this) {
      case AVG -> GraphQLTypeReference.typeRef(ScalarName.FLOAT);
      case SUM -> GraphQLTypeReference.typeRef(ScalarName.of(Comparisons.sumType(type)));
      case MIN, MAX -> types.apply(type);
    };
  }
}
