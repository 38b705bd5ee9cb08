// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.grpc.generic.DatabaseMethods;
import dev.evita.externalapi.grpc.generic.DatabaseService;
import dev.evita.externalapi.grpc.reflection.HealthService;
import dev.evita.externalapi.grpc.reflection.ProtoFiles;
import dev.evita.externalapi.grpc.tables.CatalogServices;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The services that do not depend on the catalog: those that the application mounts, the generic
 * one, reflection and health. Immutable.
 *
 * <p>Created at the first call, so that loading protobuf and its generated classes does not slow
 * down the start of servers without gRPC clients.
 */
final class MountedServices {

  /** The methods that exist if the application mounts none. */
  static final List<String> OWN_PATHS =
      List.of(
          "/evita.v1.Database/Catalog",
          "/evita.v1.Database/Query",
          "/evita.v1.Database/Mutate",
          "/evita.v1.Database/Transaction",
          "/grpc.health.v1.Health/Check",
          "/grpc.health.v1.Health/Watch",
          "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
          "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");

  private final Map<String, Mounted> methods = new HashMap<>();
  private final ProtoFiles files;

  /**
   * A method.
   *
   * @param executor the executor; null for the connection's thread
   */
  record Mounted(ServerMethodDefinition<?, ?> method, @Nullable Executor executor) {}

  /**
   * @param database the generic service of the newest epoch
   */
  MountedServices(
      ApiContext context,
      CatalogServices catalog,
      Supplier<DatabaseService> database,
      GrpcOptions options,
      List<GrpcProvider.Mount> mounts) {
    var definitions = new ArrayList<ServerServiceDefinition>();
    for (var mount : mounts) {
      mount.services().forEach(service -> mount(service, mount.executor()));
      definitions.addAll(mount.services());
    }
    var generic = DatabaseMethods.service(context.background(), database);
    mount(generic, null);
    definitions.add(generic);
    this.files = new ProtoFiles(catalog, definitions);
    if (options.grpcReflection()) {
      files.reflection().forEach(service -> mount(service, null));
    }
    mount(new HealthService(context.background(), files).bindService(), null);
  }

  private void mount(ServerServiceDefinition service, @Nullable Executor executor) {
    for (var method : service.getMethods()) {
      methods.putIfAbsent(path(method), new Mounted(method, executor));
    }
  }

  /** Returns the path of a method. */
  static String path(ServerMethodDefinition<?, ?> method) {
    return "/" + method.getMethodDescriptor().getFullMethodName();
  }

  /** Returns the method of a path; null for none. */
  @Nullable Mounted method(String path) {
    return methods.get(path);
  }

  /** Returns their files, and those of the catalog. */
  ProtoFiles files() {
    return files;
  }
}
