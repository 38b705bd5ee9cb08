// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import static graphql.schema.GraphQLEnumType.newEnum;
import static graphql.schema.GraphQLFieldDefinition.newFieldDefinition;
import static graphql.schema.GraphQLInputObjectType.newInputObject;
import static graphql.schema.GraphQLList.list;
import static graphql.schema.GraphQLNonNull.nonNull;
import static graphql.schema.GraphQLObjectType.newObject;
import static graphql.schema.GraphQLTypeReference.typeRef;

import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.ScalarName;
import dev.evita.externalapi.graphql.model.StreamModel;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLObjectType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates {@code subscription_root}: each table's fields of {@code query_root} as live queries,
 * and a stream of each table.
 */
final class SubscriptionSchema {

  private final SchemaGenerator generator;
  private final ApiModel model;

  SubscriptionSchema(SchemaGenerator generator, ApiModel model) {
    this.generator = generator;
    this.model = model;
  }

  /** Returns null if there are no tables. */
  @Nullable GraphQLObjectType root() {
    var root = newObject().name(ApiModel.SUBSCRIPTION_ROOT);
    var empty = true;
    for (var field : model.liveRoots()) {
      root.field(generator.root(field));
      empty = false;
    }
    for (var stream : model.streams()) {
      root.field(stream(stream));
    }
    return empty ? null : root.build();
  }

  private static GraphQLFieldDefinition stream(StreamModel stream) {
    var table = stream.table();
    return newFieldDefinition()
        .name(stream.name())
        .description("Rows of " + table.typeName() + " as they come, in the order of the cursor.")
        .type(SchemaGenerator.rows(table))
        .argument(SchemaGenerator.argument("batch_size", nonNull(typeRef(ScalarName.INT))))
        .argument(SchemaGenerator.argument("cursor", nonNull(list(typeRef(stream.cursorInput())))))
        .argument(SchemaGenerator.argument("where", typeRef(table.names().boolExp())))
        .build();
  }

  /** Returns the input types of the streams' arguments. */
  List<GraphQLNamedType> types() {
    var types = new ArrayList<GraphQLNamedType>();
    for (var stream : model.streams()) {
      types.add(cursor(stream));
      types.add(value(stream));
    }
    if (!types.isEmpty()) {
      types.add(
          newEnum()
              .name(StreamModel.CURSOR_ORDERING)
              .description("Which way a stream goes.")
              .value("ASC", "ASC", "smallest first; the default")
              .value("DESC", "DESC", "largest first")
              .build());
    }
    return types;
  }

  private static GraphQLNamedType cursor(StreamModel stream) {
    return newInputObject()
        .name(stream.cursorInput())
        .description("Where a stream of " + stream.table().typeName() + " begins.")
        .field(
            SchemaGenerator.inputField(
                "initial_value",
                nonNull(typeRef(stream.cursorValue())),
                "Rows beyond this value, by one column; null for all rows."))
        .field(SchemaGenerator.inputField("ordering", typeRef(StreamModel.CURSOR_ORDERING), null))
        .build();
  }

  private GraphQLNamedType value(StreamModel stream) {
    var input =
        newInputObject()
            .name(stream.cursorValue())
            .description("A value of one column of " + stream.table().typeName() + ".");
    for (var field : stream.cursors()) {
      var type = generator.input(field.column().type());
      input.field(SchemaGenerator.inputField(field.name(), type, field.column().comment()));
    }
    return input.build();
  }
}
