// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import static graphql.schema.GraphQLFieldDefinition.newFieldDefinition;
import static graphql.schema.GraphQLInputObjectType.newInputObject;
import static graphql.schema.GraphQLList.list;
import static graphql.schema.GraphQLNonNull.nonNull;
import static graphql.schema.GraphQLObjectType.newObject;
import static graphql.schema.GraphQLTypeReference.typeRef;

import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.Comparisons;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.TableModel;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLNamedType;
import java.util.ArrayList;
import java.util.List;

/** The types around {@code x_group_by}. Hasura has no such field; these follow its conventions. */
public final class GroupTypes {

  public static final String KEY = "key";
  public static final String AGGREGATE = "aggregate";

  private GroupTypes() {}

  /**
   * Returns the field for groups of a table's rows.
   *
   * @param pageArguments those that select a part of the groups
   */
  static GraphQLFieldDefinition field(
      String name, TableModel table, List<GraphQLArgument> pageArguments) {
    var names = table.names();
    return newFieldDefinition()
        .name(name)
        .description("Rows of " + table.typeName() + " in groups of equal columns.")
        .type(nonNull(list(nonNull(typeRef(names.group())))))
        .argument(
            SchemaGenerator.argument("by", nonNull(list(nonNull(typeRef(names.selectColumn()))))))
        .arguments(pageArguments)
        .argument(
            SchemaGenerator.argument("order_by", list(nonNull(typeRef(names.groupOrderBy())))))
        .argument(SchemaGenerator.argument("where", typeRef(names.boolExp())))
        .build();
  }

  /** The types of a table's groups; the key's fields are those of its object type. */
  static List<GraphQLNamedType> of(TableModel table, GraphQLNamedType key) {
    var types = new ArrayList<GraphQLNamedType>();
    var names = table.names();
    types.add(key);
    types.add(
        newObject()
            .name(names.group())
            .description("Rows of " + table.typeName() + " that are equal in some columns.")
            .field(
                newFieldDefinition()
                    .name(KEY)
                    .description("The columns that the group's rows are equal in: those of 'by'.")
                    .type(nonNull(typeRef(names.groupKey()))))
            .field(
                newFieldDefinition()
                    .name(AGGREGATE)
                    .type(nonNull(typeRef(names.aggregateFields()))))
            .build());
    var sortable =
        table.columns().stream()
            .filter(field -> Comparisons.sortable(field.column().type()))
            .toList();
    var order =
        newInputObject()
            .name(names.groupOrderBy())
            .description("An order of groups of rows of " + table.typeName() + ".")
            .field(SchemaGenerator.inputField(AGGREGATE, typeRef(names.aggregateOrderBy()), null));
    if (!sortable.isEmpty()) {
      types.add(order(names.groupKeyOrderBy(), sortable));
      order.field(SchemaGenerator.inputField(KEY, typeRef(names.groupKeyOrderBy()), null));
    }
    types.add(order.build());
    return types;
  }

  /** Returns an order by some of a table's columns. */
  static GraphQLInputObjectType order(String name, List<FieldModel.OfColumn> columns) {
    var input = newInputObject().name(name);
    columns.forEach(column ->
        input.field(SchemaGenerator.inputField(column.name(), typeRef(ApiModel.ORDER_BY), null)));
    return input.build();
  }
}
