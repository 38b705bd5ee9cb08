// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.grpc.tables.TableMethods;
import dev.evita.externalapi.grpc.transport.RequestListener;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import java.util.List;
import java.util.function.Supplier;

/** The generic service, as gRPC calls it. */
public final class DatabaseMethods {

  private static final List<String> NAMES = List.of("Catalog", "Query", "Mutate");

  private DatabaseMethods() {}

  /**
   * The service.
   *
   * @param newest that of the newest epoch
   */
  public static ServerServiceDefinition service(
      BackgroundWork background, Supplier<DatabaseService> newest) {
    var descriptor =
        ServiceDescriptor.newBuilder(DatabaseProto.SERVICE)
            .setSchemaDescriptor((ProtoFileDescriptorSupplier) () -> DatabaseProto.FILE);
    var conversation =
        TableMethods.descriptor(DatabaseProto.SERVICE + "/Transaction", MethodType.BIDI_STREAMING);
    descriptor.addMethod(conversation);
    var methods =
        NAMES.stream()
            .map(name ->
                TableMethods.descriptor(
                    DatabaseProto.SERVICE + "/" + name,
                    name.equals("Query") ? MethodType.SERVER_STREAMING : MethodType.UNARY))
            .toList();
    methods.forEach(descriptor::addMethod);
    var service = ServerServiceDefinition.builder(descriptor.build());
    service.addMethod(
        conversation, (call, headers) -> new TransactionCall(call, newest.get(), background));
    for (var method : methods) {
      var name = method.getBareMethodName();
      RequestListener.Finder finder =
          (path, found, failed) -> found.accept(newest.get().method(String.valueOf(name)));
      service.addMethod(
          method,
          (call, headers) ->
              new RequestListener(call, method.getFullMethodName(), null, background, finder));
    }
    return service.build();
  }
}
