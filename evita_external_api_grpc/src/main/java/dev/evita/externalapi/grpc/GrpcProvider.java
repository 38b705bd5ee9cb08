// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.externalapi.core.Api;
import dev.evita.externalapi.core.ApiContext;
import dev.evita.externalapi.core.ApiProvider;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Serves gRPC services of one's own beside the other APIs.
 *
 * <pre>{@code
 * ExternalApiServer.over(engine).provider(GrpcProvider.of(executor, new GreeterService())).start()
 * }</pre>
 *
 * <p>Interceptors are put around a service by {@link io.grpc.ServerInterceptors}.
 */
public final class GrpcProvider implements ApiProvider {

  private final List<ServerServiceDefinition> services;
  private final @Nullable Executor executor;

  private GrpcProvider(@Nullable Executor executor, List<ServerServiceDefinition> services) {
    this.services = List.copyOf(services);
    this.executor = executor;
  }

  /**
   * Services whose methods may block.
   *
   * @param executor runs their methods, those of one call one after the other; stays the caller's
   *     to close, after the server
   */
  public static GrpcProvider of(Executor executor, BindableService... services) {
    return new GrpcProvider(executor, bound(services));
  }

  /** Services whose methods never block: they run on the connections' own threads. */
  public static GrpcProvider direct(BindableService... services) {
    return new GrpcProvider(null, bound(services));
  }

  private static List<ServerServiceDefinition> bound(BindableService... services) {
    var bound = new ArrayList<ServerServiceDefinition>();
    for (var service : services) {
      bound.add(service.bindService());
    }
    return bound;
  }

  @Override
  public String name() {
    return "grpc";
  }

  @Override
  public Api api(ApiContext context) {
    return new GrpcApi(services, executor, context.limits().maxBodyBytes());
  }
}
