// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import static graphql.schema.GraphQLFieldDefinition.newFieldDefinition;
import static graphql.schema.GraphQLInputObjectType.newInputObject;
import static graphql.schema.GraphQLList.list;
import static graphql.schema.GraphQLNonNull.nonNull;
import static graphql.schema.GraphQLObjectType.newObject;
import static graphql.schema.GraphQLTypeReference.typeRef;

import dev.evita.api.Capability;
import dev.evita.api.DataType;
import dev.evita.externalapi.graphql.model.AggregateFunction;
import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.ScalarName;
import dev.evita.externalapi.graphql.model.TableModel;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLOutputType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The types around the aggregates of a table: their results, and the inputs that order and filter
 * other tables' rows by them.
 *
 * @param output the type of a column's values
 * @param model has the engine's capabilities
 */
record AggregateTypes(
    TableModel table, Function<DataType, GraphQLOutputType> output, ApiModel model) {

  List<GraphQLNamedType> types() {
    var types = new ArrayList<GraphQLNamedType>();
    if (model.has(Capability.AGGREGATES)) {
      addResultTypes(types);
    }
    if (model.has(Capability.RELATED_AGGREGATES)
        || model.has(Capability.AGGREGATES, Capability.GROUP_BY)) {
      orders(types);
    }
    if (model.has(Capability.RELATED_AGGREGATES)) {
      filters(types);
    }
    return types;
  }

  private void addResultTypes(List<GraphQLNamedType> types) {
    var names = table.names();
    types.add(
        newObject()
            .name(names.aggregate())
            .description("Aggregates over rows of " + table.typeName() + ", and these rows.")
            .field(newFieldDefinition().name("aggregate").type(typeRef(names.aggregateFields())))
            .field(newFieldDefinition().name("nodes").type(SchemaGenerator.rows(table)))
            .build());
    var fields = newObject().name(names.aggregateFields());
    fields.field(
        newFieldDefinition()
            .name("count")
            .type(nonNull(typeRef(ScalarName.INT)))
            .argument(
                SchemaGenerator.argument("columns", list(nonNull(typeRef(names.selectColumn())))))
            .argument(SchemaGenerator.argument("distinct", typeRef(ScalarName.BOOLEAN))));
    for (var function : AggregateFunction.values()) {
      var type = function.fields(table, output);
      if (type != null) {
        types.add(type);
        fields.field(newFieldDefinition().name(function.fieldName()).type(typeRef(type.getName())));
      }
    }
    types.add(fields.build());
  }

  private void orders(List<GraphQLNamedType> types) {
    var order =
        newInputObject()
            .name(table.names().aggregateOrderBy())
            .description("An order by aggregates over rows of " + table.typeName() + ".")
            .field(SchemaGenerator.inputField("count", typeRef(ApiModel.ORDER_BY), null));
    for (var function : AggregateFunction.values()) {
      var columns = function.columns(table);
      if (!columns.isEmpty()) {
        var name = function.orderName(table);
        types.add(GroupTypes.order(name, columns));
        order.field(SchemaGenerator.inputField(function.fieldName(), typeRef(name), null));
      }
    }
    types.add(order.build());
  }

  private void filters(List<GraphQLNamedType> types) {
    var names = table.names();
    types.add(
        newInputObject()
            .name(names.aggregateBoolExp())
            .description("What must hold for aggregates over rows of " + table.typeName() + ".")
            .field(SchemaGenerator.inputField("count", typeRef(names.countBoolExp()), null))
            .build());
    var int32 = ScalarName.of(DataType.Scalar.INT32) + "_comparison_exp";
    types.add(
        newInputObject()
            .name(names.countBoolExp())
            .field(
                SchemaGenerator.inputField(
                    "arguments", list(nonNull(typeRef(names.selectColumn()))), null))
            .field(SchemaGenerator.inputField("distinct", typeRef(ScalarName.BOOLEAN), null))
            .field(SchemaGenerator.inputField("filter", typeRef(names.boolExp()), null))
            .field(SchemaGenerator.inputField("predicate", nonNull(typeRef(int32)), null))
            .build());
  }
}
