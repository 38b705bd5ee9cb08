// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.Descriptors.Descriptor;
import dev.evita.api.EvitaException;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.Schema;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.grpc.messages.MessageFields;
import dev.evita.externalapi.grpc.messages.MessageParser;
import dev.evita.externalapi.grpc.messages.RequestShape;
import dev.evita.externalapi.grpc.messages.RequestSplitter;
import dev.evita.externalapi.grpc.messages.RequestValues;
import dev.evita.externalapi.grpc.messages.WireWriter;
import dev.evita.externalapi.grpc.tables.GrpcWriteExecution;
import dev.evita.externalapi.grpc.transport.CallResponse;
import dev.evita.externalapi.grpc.transport.UnaryRequestMethod;
import org.jspecify.annotations.Nullable;

/** The generic service over one epoch's catalog. Thread-safe. */
public final class DatabaseService {

  private static final int MOST_QUERIES = 2_048;
  private static final Descriptor QUERY = DatabaseProto.message("QueryRequest");

  private final ApiContext context;
  private final DatabaseNames names;
  private final PlacementHistory plan =
      new PlacementHistory("gRPC calls of " + DatabaseProto.SERVICE);
  private final RequestSplitter splitter =
      new RequestSplitter(field -> field.getContainingType().getName().equals("AnyValue"));
  private final Cache<RequestShape, Query> queries =
      Caffeine.newBuilder().maximumSize(MOST_QUERIES).build();

  /** The compiled plan of a shape of {@code QueryRequest}. */
  private record Query(Prepared prepared, Cost cost, RequestValues values, RowMessages rows) {}

  public DatabaseService(ApiContext context) {
    this.context = context;
    this.names = new DatabaseNames(context.catalog());
  }

  /** Returns the unary or server-streaming method of this name; null for none. */
  @Nullable UnaryRequestMethod method(String name) {
    return switch (name) {
      case "Catalog" -> this::catalog;
      case "Query" -> this::query;
      case "Mutate" -> this::mutate;
      default -> null;
    };
  }

  /**
   * Parses a message.
   *
   * @throws EvitaException as {@link MessageParser}
   */
  MessageFields parse(String type, byte[] bytes) {
    var nesting = context.limits().depthLimit();
    return new MessageFields(MessageParser.parse(DatabaseProto.message(type), bytes, nesting));
  }

  private void catalog(byte[] bytes, CallResponse reply) {
    var only = parse("CatalogRequest", bytes).string("schema");
    if (!only.isEmpty()) {
      var unused = names.requireSchema(only);
    }
    reply.work().dispatch(plan, false, () -> reply.complete(catalog(only)));
  }

  private byte[] catalog(String only) {
    var catalog = context.catalog();
    var writer = new WireWriter();
    for (var schema : catalog.schemas()) {
      if (only.isEmpty() || catalog.apiName(schema).equals(only)) {
        var begun = writer.begin(1);
        schema(schema, writer);
        writer.end(begun);
      }
    }
    return writer.take();
  }

  private void schema(Schema schema, WireWriter to) {
    to.string(1, context.catalog().apiName(schema));
    for (var table : schema.tables()) {
      var begun = to.begin(2);
      table(table, to);
      to.end(begun);
    }
    if (schema.comment() != null) {
      to.string(3, schema.comment());
    }
    to.bool(4, schema.name().equals(context.catalog().defaultSchema()));
  }

  private void table(Table table, WireWriter to) {
    var catalog = context.catalog();
    to.string(1, catalog.bareApiName(table.name()));
    to.bool(2, table.kind() == Table.Kind.VIEW);
    table.columns().forEach(column -> RowMessages.column(catalog, table, column, 3, to));
    var key = table.primaryKey();
    if (key != null) {
      key.columns().forEach(column -> to.string(4, catalog.apiName(table.name(), column)));
    }
    for (var each : catalog.relationships(table.name())) {
      var begun = to.begin(5);
      to.string(1, each.name());
      each.fromColumns().forEach(column -> to.string(2, catalog.apiName(each.from(), column)));
      catalog.schemas().stream()
          .filter(schema -> schema.name().equals(each.to().schema()))
          .forEach(schema -> to.string(3, catalog.apiName(schema)));
      to.string(4, catalog.bareApiName(each.to()));
      each.toColumns().forEach(column -> to.string(5, catalog.apiName(each.to(), column)));
      to.bool(6, each.single());
      to.end(begun);
    }
    if (table.comment() != null) {
      to.string(6, table.comment());
    }
  }

  DatabaseReader reader() {
    return new DatabaseReader(names, context.limits().depthLimit());
  }

  /**
   * Compiles a parsed request, and checks its cost.
   *
   * @throws EvitaException as the engine's {@code prepare}; {@code TOO_COSTLY}
   */
  Prepared prepare(DatabaseReader.Bound bound) {
    var prepared = context.statements().prepare(bound.operation());
    if (bound.operation() instanceof Select select) {
      Cost.of(select, false, context.limits().estimatedRows())
          .requireAtMost(context.limits().maxCost(), bound.arguments());
    }
    return prepared;
  }

  /** Executes a query: on this thread if it is bounded and cached, else on a worker thread. */
  private void query(byte[] bytes, CallResponse reply) {
    var split = splitter.split(this, QUERY, bytes);
    var known = split == null ? null : queries.getIfPresent(split.shape());
    var arguments = split == null || known == null ? null : known.values.arguments(split.values());
    if (known == null || arguments == null) {
      reply.work().dispatch(plan, false, () -> compile(bytes, split, reply));
      return;
    }
    known.cost.requireAtMost(context.limits().maxCost(), arguments);
    reply
        .work()
        .dispatch(
            plan,
            known.prepared.bounded(arguments),
            () -> known.prepared.run(arguments, null, new QuerySink(reply, known.rows)));
  }

  private void compile(byte[] bytes, RequestShape.@Nullable Split split, CallResponse reply) {
    DatabaseReader.Bound bound;
    Query query;
    try {
      var reader = reader();
      bound = reader.query(parse("QueryRequest", bytes));
      var prepared = context.statements().prepare(bound.operation());
      var cost = Cost.of(bound.operation(), false, context.limits().estimatedRows());
      query = new Query(prepared, cost, reader.values(), queried(bound));
      if (split != null && query.values.generalize(split.values())) {
        queries.put(split.shape(), query);
      }
      cost.requireAtMost(context.limits().maxCost(), bound.arguments());
    } catch (RuntimeException e) {
      reply.fail(e);
      return;
    }
    query.prepared.run(bound.arguments(), null, new QuerySink(reply, query.rows));
  }

  /** Returns the writer of the rows of a {@code QueryResponse}. */
  RowMessages queried(DatabaseReader.Bound bound) {
    return new RowMessages(context.catalog(), bound.table(), bound.columns(), 1, 2);
  }

  /** Returns the writer of the rows of a {@code MutateResponse}. */
  RowMessages returned(DatabaseReader.Bound bound) {
    return new RowMessages(context.catalog(), bound.table(), bound.columns(), 2, 3);
  }

  private void mutate(byte[] bytes, CallResponse reply) {
    reply
        .work()
        .dispatch(
            plan,
            false,
            () -> {
              GrpcWriteExecution.Write write;
              try {
                write = mutation(reader().mutation(parse("MutateRequest", bytes)));
              } catch (RuntimeException e) {
                reply.fail(e);
                return;
              }
              GrpcWriteExecution.run(reply, context, bytes, write);
            });
  }

  private GrpcWriteExecution.Write mutation(DatabaseReader.Bound bound) {
    var prepared = prepare(bound);
    return new GrpcWriteExecution.Write(
        prepared, bound.arguments(), () -> new Mutation(returned(bound)));
  }

  /** Writes a {@code MutateResponse}. Used once, by one thread at a time. */
  static final class Mutation implements GrpcWriteExecution.WriteMessageBuilder {

    private final RowMessages messages;
    private final WireWriter writer = new WireWriter();

    Mutation(RowMessages messages) {
      this.messages = messages;
      messages.columns(writer);
    }

    @Override
    public void row(Row row, Quota held) {
      held.count();
      messages.row(row, writer);
      held.requireShort(writer.position());
    }

    @Override
    public void completed(long affected) {
      writer.integer(1, affected);
    }

    @Override
    public byte[] message() {
      return writer.take();
    }
  }

  ApiContext context() {
    return context;
  }
}
