// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.grpc.messages.TypedTable;
import dev.evita.externalapi.grpc.proto.FieldNumbers;
import dev.evita.externalapi.grpc.proto.SchemaProto;
import dev.evita.externalapi.grpc.proto.ServiceNames;
import dev.evita.externalapi.grpc.transport.UnaryRequestMethod;
import io.grpc.ServerCall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The services of all tables of one epoch: a file for each schema, and each method by its path.
 * Immutable.
 */
public final class TableServices {

  private final ApiContext context;
  private final ServiceNames names;
  private final List<FileDescriptor> files = new ArrayList<>();
  private final Map<TableName, TypedTable> tables = new HashMap<>();
  private final Map<String, UnaryRequestMethod> methods = new HashMap<>();
  private final Map<String, TypedTable> inserts = new HashMap<>();
  private final ReadMethods reads;
  private final WriteMethods writes;
  private final WatchMethods watches;

  TableServices(ApiContext context, FieldNumbers numbers) {
    this.context = context;
    this.names = numbers.names();
    this.reads = new ReadMethods(context.statements(), context.limits());
    this.writes = new WriteMethods(context);
    this.watches = new WatchMethods(context, this::table);
    var catalog = context.catalog();
    for (var schema : catalog.schemas()) {
      var proto = SchemaProto.of(catalog, context.capabilities(), schema, numbers);
      files.add(proto.file());
      proto
          .tables()
          .forEach((tableName, table) -> {
            var typed = new TypedTable(proto, table, context.limits().depthLimit());
            tables.put(tableName, typed);
            for (var method : proto.file().findServiceByName(table.base()).getMethods()) {
              add(typed, method);
            }
          });
    }
  }

  private void add(TypedTable table, MethodDescriptor method) {
    var path = method.getService().getFullName() + "/" + method.getName();
    switch (method.getName()) {
      case "Get" -> methods.put(path, reads.get(table));
      case "List" -> methods.put(path, reads.list(table));
      case "Scan" -> methods.put(path, reads.scan(table));
      case "Insert" -> methods.put(path, (bytes, reply) -> writes.insert(table, bytes, reply));
      case "Update" -> methods.put(path, (bytes, reply) -> writes.update(table, bytes, reply));
      case "Delete" -> methods.put(path, (bytes, reply) -> writes.delete(table, bytes, reply));
      case "Watch" -> methods.put(path, (bytes, reply) -> watches.watch(table, bytes, reply));
      case "InsertMany" -> inserts.put(path, table);
      default -> throw new IllegalStateException("no method " + path);
    }
  }

  /** The names of the services. */
  ServiceNames names() {
    return names;
  }

  /** Takes over the state that outlives an epoch. */
  void succeed(TableServices predecessor) {
    watches.succeed(predecessor.watches);
  }

  /**
   * Returns the method of a path without its leading slash; null for none that takes one request.
   */
  public @Nullable UnaryRequestMethod method(String path) {
    return methods.get(path);
  }

  /** Whether a path is of a method that takes many rows. */
  boolean inserts(String path) {
    return inserts.containsKey(path);
  }

  /** Returns the listener of a call that sends many rows. */
  ServerCall.Listener<byte[]> inserting(String path, ServerCall<byte[], byte[]> call) {
    var table = Objects.requireNonNull(inserts.get(path));
    return new InsertManyCall(call, table, context.statements(), context.background());
  }

  /** The files, one for each schema. */
  public List<FileDescriptor> files() {
    return Collections.unmodifiableList(files);
  }

  private TypedTable table(TableName name) {
    var table = tables.get(name);
    if (table == null || table.proto().table().primaryKey() == null) {
      throw new EvitaException(
          ErrorCode.UNKNOWN_TABLE,
          "There is no table '" + name + "' with a primary key (any more)");
    }
    return table;
  }
}
