// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import static graphql.schema.GraphQLFieldDefinition.newFieldDefinition;
import static graphql.schema.GraphQLList.list;
import static graphql.schema.GraphQLNonNull.nonNull;
import static graphql.schema.GraphQLObjectType.newObject;
import static graphql.schema.GraphQLTypeReference.typeRef;

import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.ScalarName;
import dev.evita.externalapi.graphql.model.TableModel;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLOutputType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The types of Relay's connections (Relay Cursor Connections Specification). */
final class ConnectionTypes {

  private ConnectionTypes() {}

  static GraphQLObjectType pageInfo() {
    return newObject()
        .name(ApiModel.PAGE_INFO)
        .description("The position of a page.")
        .field(field("hasNextPage", nonNull(typeRef(ScalarName.BOOLEAN)), null))
        .field(field("hasPreviousPage", nonNull(typeRef(ScalarName.BOOLEAN)), null))
        .field(field("startCursor", typeRef(ScalarName.STRING), "Null on an empty page."))
        .field(field("endCursor", typeRef(ScalarName.STRING), "Null on an empty page."))
        .build();
  }

  /**
   * Returns the types of a table's pages.
   *
   * @param counted whether all rows can be counted
   */
  static List<GraphQLNamedType> of(TableModel table, boolean counted) {
    var names = table.names();
    var edge =
        newObject()
            .name(names.edge())
            .description("A row of " + table.typeName() + " with its cursor.")
            .field(field("cursor", nonNull(typeRef(ScalarName.STRING)), null))
            .field(field("node", nonNull(typeRef(table.typeName())), null))
            .build();
    var edges = nonNull(list(nonNull(typeRef(names.edge()))));
    var connection =
        newObject()
            .name(names.connection())
            .description("A page of rows of " + table.typeName() + ".")
            .field(field("edges", edges, null))
            .field(field("nodes", SchemaGenerator.rows(table), null))
            .field(field("pageInfo", nonNull(typeRef(ApiModel.PAGE_INFO)), null));
    if (counted) {
      connection.field(field("totalCount", nonNull(typeRef(ScalarName.INT)), "Rows on all pages."));
    }
    return List.of(edge, connection.build());
  }

  /** Returns the field for a page of a table's rows. */
  static GraphQLFieldDefinition field(String name, TableModel table) {
    var names = table.names();
    return field(name, nonNull(typeRef(names.connection())), table.table().comment())
        .transform(field ->
            field
                .argument(SchemaGenerator.argument("after", typeRef(ScalarName.STRING)))
                .argument(SchemaGenerator.argument("before", typeRef(ScalarName.STRING)))
                .argument(SchemaGenerator.argument("first", typeRef(ScalarName.INT)))
                .argument(SchemaGenerator.argument("last", typeRef(ScalarName.INT)))
                .argument(
                    SchemaGenerator.argument("order_by", list(nonNull(typeRef(names.orderBy())))))
                .argument(SchemaGenerator.argument("where", typeRef(names.boolExp()))));
  }

  private static GraphQLFieldDefinition field(
      String name, GraphQLOutputType type, @Nullable String description) {
    return newFieldDefinition().name(name).type(type).description(description).build();
  }
}
