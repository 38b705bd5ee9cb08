// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import com.google.protobuf.Message;
import dev.evita.api.Arguments;
import dev.evita.api.Delete;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.Operation;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Update;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.grpc.messages.MessageFields;
import dev.evita.externalapi.grpc.messages.RequestValues;
import dev.evita.externalapi.grpc.messages.RowEncoder;
import dev.evita.externalapi.grpc.messages.TypedTable;
import dev.evita.externalapi.grpc.transport.CallResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The methods that write one row, of one epoch. Thread-safe. */
final class WriteMethods {

  private final ApiContext context;
  private final PlacementHistory plan = new PlacementHistory("gRPC calls that write");

  WriteMethods(ApiContext context) {
    this.context = context;
  }

  /** What the message of an insert or update gives: fields {@code row} and {@code nulls}. */
  static TypedTable.Given given(TypedTable table, Message request) {
    var fields = new MessageFields(request);
    var row = fields.nested("row");
    return table.given(row == null ? null : row.message(), fields.strings("nulls"));
  }

  void insert(TypedTable table, byte[] bytes, CallResponse reply) {
    write(
        reply,
        bytes,
        table,
        ReadSink.notFound(table.proto().base()),
        () -> {
          var given = given(table, table.parse("InsertRequest", bytes));
          var rows = List.<@Nullable Object[]>of(given.values().toArray());
          return new Bound(
              new Insert(
                  table.proto().table().name(), given.names(), new Parameter(0), null, all(table)),
              Arguments.of(new InsertRows(rows)));
        });
  }

  void update(TypedTable table, byte[] bytes, CallResponse reply) {
    write(
        reply,
        bytes,
        table,
        ReadSink.notFound(table.proto().base()),
        () -> {
          var request = table.parse("UpdateRequest", bytes);
          var given = given(table, request);
          if (given.columns().isEmpty()) {
            throw new EvitaException(
                ErrorCode.INVALID_VALUE, "Nothing is to be changed; give values in row, or nulls");
          }
          var values = new RequestValues();
          var where = table.byKey(key(request), values);
          var changes = new ArrayList<Update.Change>();
          for (int i = 0; i < given.columns().size(); i++) {
            var name = given.columns().get(i).column().name();
            changes.add(new Update.Change.Assign(name, values.constant(given.values().get(i))));
          }
          return new Bound(
              new Update(table.proto().table().name(), changes, where, all(table)),
              values.arguments());
        });
  }

  void delete(TypedTable table, byte[] bytes, CallResponse reply) {
    write(
        reply,
        bytes,
        table,
        ReadSink.notFound(table.proto().base()),
        () -> {
          var values = new RequestValues();
          var where = table.byKey(key(table.parse("DeleteRequest", bytes)), values);
          return new Bound(
              new Delete(table.proto().table().name(), where, all(table)), values.arguments());
        });
  }

  /** An operation and its values. */
  private record Bound(Operation operation, Arguments arguments) {}

  private void write(
      CallResponse reply,
      byte[] request,
      TypedTable table,
      EvitaException absent,
      Supplier<Bound> reader) {
    reply
        .work()
        .dispatch(
            plan,
            false,
            () -> {
              GrpcWriteExecution.Write write;
              try {
                var bound = reader.get();
                var encoder = new RowEncoder(table.proto().columns(), 0);
                write =
                    new GrpcWriteExecution.Write(
                        context.statements().prepare(bound.operation()),
                        bound.arguments(),
                        () -> new GrpcWriteExecution.OneRow(encoder, absent));
              } catch (RuntimeException e) {
                reply.fail(e);
                return;
              }
              GrpcWriteExecution.run(reply, context, request, write);
            });
  }

  private static @Nullable Message key(Message request) {
    var key = new MessageFields(request).nested("key");
    return key == null ? null : key.message();
  }

  private static List<Output> all(TypedTable table) {
    return table.proto().columns().stream()
        .<Output>map(field -> new Output.Column(field.column().name()))
        .toList();
  }
}
