// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.queries;

import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.graphql.input.PageArguments;
import dev.evita.externalapi.graphql.input.RowArguments;
import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.RootModel;
import dev.evita.externalapi.graphql.model.TableModel;
import dev.evita.externalapi.graphql.plan.ConnectionShape;
import dev.evita.externalapi.graphql.plan.FieldReader;
import dev.evita.externalapi.graphql.plan.OperationTemplate;
import dev.evita.externalapi.graphql.plan.QuerySource;
import dev.evita.externalapi.graphql.plan.RowCompiler;
import dev.evita.externalapi.graphql.plan.RowSource;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import graphql.language.Field;
import graphql.schema.GraphQLFieldDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a connection: one statement for {@code edges}, {@code nodes} and {@code pageInfo}
 * together, and one for {@code totalCount}; each only where it is asked for.
 */
final class ConnectionCompiler {

  private final GraphQlSchema api;
  private final FieldReader reader;
  private final RowCompiler rows;
  private final RootModel.Connection connection;
  private final TableModel table;
  private final List<OperationTemplate.Slot> slots = new ArrayList<>();
  private final List<ConnectionShape.Part> parts = new ArrayList<>();
  private boolean cursors;

  ConnectionCompiler(
      GraphQlSchema api, FieldReader reader, RowCompiler rows, RootModel.Connection connection) {
    this.api = api;
    this.reader = reader;
    this.rows = rows;
    this.connection = connection;
    this.table = connection.table();
  }

  /** What stands at a response key: a constant, or a source. */
  record Member(String key, List<Field> fields, @Nullable QuerySource source) {}

  /** The members of the answer's object, in order. */
  List<Member> compile(List<Field> fields) {
    var field = fields.getFirst();
    var definition = reader.definition(ApiModel.QUERY_ROOT, field);
    var selected = reader.collect(table.names().connection(), fields);
    var partOf = new LinkedHashMap<String, Integer>();
    for (var entry : selected.entrySet()) {
      var part = part(entry.getValue());
      if (part != null) {
        partOf.put(entry.getKey(), parts.size());
        parts.add(part);
      }
    }
    var members = new ArrayList<Member>();
    for (var entry : selected.entrySet()) {
      var source =
          switch (entry.getValue().getFirst().getName()) {
            case FieldReader.TYPE_NAME -> null;
            case "totalCount" -> total(definition, field);
            default -> page(Objects.requireNonNull(partOf.get(entry.getKey())), definition, field);
          };
      members.add(new Member(entry.getKey(), entry.getValue(), source));
    }
    return members;
  }

  private ConnectionShape.@Nullable Part part(List<Field> fields) {
    return switch (fields.getFirst().getName()) {
      case "nodes" -> new ConnectionShape.Part.Nodes(rows.object(table, fields, slots, 3));
      case "edges" -> edges(fields);
      case "pageInfo" -> pageInfo(fields);
      default -> null;
    };
  }

  @SuppressWarnings("NullAway") // a member without a shape is a cursor; T extends @Nullable Object
  private ConnectionShape.Part edges(List<Field> fields) {
    var typeName = table.names().edge();
    var members = new ConnectionShape.Members.Builder<@Nullable JsonShape>();
    for (var entry : reader.collect(typeName, fields).entrySet()) {
      switch (entry.getValue().getFirst().getName()) {
        case FieldReader.TYPE_NAME -> members.constant(entry.getKey(), typeName);
        case "node" ->
            members.member(entry.getKey(), rows.object(table, entry.getValue(), slots, 4));
        default -> {
          members.member(entry.getKey(), null);
          cursors = true;
        }
      }
    }
    return new ConnectionShape.Part.Edges(members.build());
  }

  private ConnectionShape.Part pageInfo(List<Field> fields) {
    var typeName = ApiModel.PAGE_INFO;
    var members = new ConnectionShape.Members.Builder<ConnectionShape.Fact>();
    for (var entry : reader.collect(typeName, fields).entrySet()) {
      switch (entry.getValue().getFirst().getName()) {
        case FieldReader.TYPE_NAME -> members.constant(entry.getKey(), typeName);
        case "hasNextPage" -> members.member(entry.getKey(), ConnectionShape.Fact.HAS_NEXT);
        case "hasPreviousPage" -> members.member(entry.getKey(), ConnectionShape.Fact.HAS_PREVIOUS);
        case "startCursor" -> {
          members.member(entry.getKey(), ConnectionShape.Fact.START);
          cursors = true;
        }
        default -> {
          members.member(entry.getKey(), ConnectionShape.Fact.END);
          cursors = true;
        }
      }
    }
    return new ConnectionShape.Part.About(members.build());
  }

  private QuerySource total(GraphQLFieldDefinition definition, Field field) {
    var where = reader.argument(definition, field, "where", null);
    var count = List.<OperationTemplate.Slot>of(new OperationTemplate.Slot.OfCount(null, null));
    var template = new OperationTemplate.OfSelect(table, count, RowArguments.of(where), Map.of());
    var shape = JsonShape.alone(new JsonShape.Node.Computed(0));
    return new QuerySource.Rows(false, shape, new RowSource(template, api));
  }

  private QuerySource page(int part, GraphQLFieldDefinition definition, Field field) {
    if (part > 0) {
      return new QuerySource.PagePart(part);
    }
    var arguments =
        new PageArguments(
            reader.argument(definition, field, "where", null),
            reader.argument(definition, field, "order_by", null),
            reader.argument(definition, field, "first", null),
            reader.argument(definition, field, "last", null),
            reader.argument(definition, field, "after", null),
            reader.argument(definition, field, "before", null));
    var read = cursors ? slots : RowCompiler.filled(table, slots);
    var template = new OperationTemplate.OfPage(table, read, arguments, connection.key(), cursors);
    var shape = new ConnectionShape(parts, cursors);
    return new QuerySource.Page(shape, new RowSource(template, api));
  }
}
