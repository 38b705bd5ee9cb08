// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Serves gRPC: a typed service for each table, reflection, health, and services of the application.
 *
 * <pre>{@code
 * ExternalApiServer.over(engine).provider(GrpcProvider.of(executor, new GreeterService())).start()
 * }</pre>
 *
 * <p>Interceptors are applied to a service by {@link io.grpc.ServerInterceptors}. Immutable.
 */
public final class GrpcProvider implements ApiProvider {

  private final GrpcOptions options;
  private final List<Mount> mounts;

  /**
   * Services that are mounted beside those of the catalog.
   *
   * @param executor the executor of their methods; null for the connections' own threads
   */
  record Mount(List<ServerServiceDefinition> services, @Nullable Executor executor) {
    Mount {
      services = List.copyOf(services);
    }
  }

  /**
   * Creates a provider without services of the application; for {@link java.util.ServiceLoader}.
   */
  public GrpcProvider() {
    this(GrpcOptions.DEFAULT);
  }

  /** Creates a provider with the given options, without services of the application. */
  public GrpcProvider(GrpcOptions options) {
    this(options, List.of());
  }

  private GrpcProvider(GrpcOptions options, List<Mount> mounts) {
    this.options = options;
    this.mounts = List.copyOf(mounts);
  }

  /**
   * Returns a provider with services whose methods may block.
   *
   * @param executor runs their methods, those of one call one after the other; stays the caller's
   *     to close, after the server
   */
  public static GrpcProvider of(Executor executor, BindableService... services) {
    return new GrpcProvider().and(executor, services);
  }

  /**
   * Returns a provider with services whose methods never block: they run on the connections' own
   * threads.
   */
  public static GrpcProvider direct(BindableService... services) {
    return new GrpcProvider().andDirect(services);
  }

  /**
   * Returns a provider with additional services, as {@link #of}; a service that is mounted already
   * is kept.
   */
  public GrpcProvider and(Executor executor, BindableService... services) {
    return with(new Mount(bound(services), executor));
  }

  /** Returns a provider with additional services, as {@link #direct}. */
  public GrpcProvider andDirect(BindableService... services) {
    return with(new Mount(bound(services), null));
  }

  private GrpcProvider with(Mount mount) {
    var all = new ArrayList<>(mounts);
    all.add(mount);
    return new GrpcProvider(options, all);
  }

  private static List<ServerServiceDefinition> bound(BindableService... services) {
    return Arrays.stream(services).map(BindableService::bindService).toList();
  }

  @Override
  public String name() {
    return "grpc";
  }

  @Override
  public Api api(ApiContext context) {
    return new GrpcApi(context, options, mounts);
  }
}
