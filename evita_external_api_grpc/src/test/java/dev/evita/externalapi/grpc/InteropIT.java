// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.tls.TlsOptions;
import io.grpc.ServerInterceptors;
import io.grpc.services.MetricRecorder;
import io.grpc.testing.integration.TestServiceClient;
import io.grpc.testing.integration.TestServiceImpl;
import io.grpc.xds.orca.OrcaMetricReportingServerInterceptor;
import io.grpc.xds.orca.OrcaServiceImpl;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The interoperability tests of gRPC, by grpc-java's own client against its own test service.
 *
 * <p>Left out: {@code cacheable_unary}, which that service does not implement; the forms of {@code
 * client_compressed_unary} and {@code client_compressed_streaming} that first send what the service
 * must reject but cannot detect (nor can any grpc-java server); and those of Google's credentials.
 */
@Tag("long")
@Timeout(60)
final class InteropIT {

  private static final List<String> CASES =
      List.of(
          "empty_unary",
          "large_unary",
          "client_compressed_unary_noprobe",
          "server_compressed_unary",
          "client_streaming",
          "client_compressed_streaming_noprobe",
          "server_streaming",
          "server_compressed_streaming",
          "ping_pong",
          "empty_stream",
          "custom_metadata",
          "status_code_and_message",
          "special_status_message",
          "unimplemented_method",
          "unimplemented_service",
          "cancel_after_begin",
          "cancel_after_first_response",
          "timeout_on_sleeping_server",
          "very_large_request",
          "pick_first_unary",
          "rpc_soak",
          "channel_soak",
          "orca_per_rpc",
          "orca_oob");

  /** The client options of the cases about server load. */
  private static final String BACKEND_METRICS =
      "{\"loadBalancingConfig\":[{\"test_backend_metrics_load_balancer\":{}}]}";

  private static final int LARGEST = 16 << 20;

  static Stream<String> cases() {
    return CASES.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void plain(String name) throws Exception {
    run(TlsOptions.NONE, name, "--use_tls=false");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void tls(String name, @TempDir Path folder) throws Exception {
    run(
        TestCertificate.in(folder),
        name,
        "--use_tls=true",
        "--use_test_ca=true",
        "--server_host_override=foo.test.google.fr");
  }

  private static void run(TlsOptions tls, String name, String... options) throws Exception {
    var pool = Executors.newScheduledThreadPool(2);
    var limits = Limits.builder().maxBodyBytes(LARGEST).build();
    try (var engine = JdbcEngine.open("jdbc:h2:mem:");
        var server =
            ExternalApiServer.over(engine)
                .options(
                    ServerOptions.builder()
                        .limits(limits)
                        .tls(tls)
                        .allowedHosts(List.of("127.0.0.1", "foo.test.google.fr"))
                        .build())
                .provider(services(pool))
                .withoutDiscovery()
                .start()) {
      var arguments =
          new ArrayList<>(
              List.of(
                  "--server_host=127.0.0.1",
                  "--server_port=" + server.port(),
                  // No test of ours is about time, also on a busy machine.
                  "--soak_per_iteration_max_acceptable_latency_ms=20000",
                  "--soak_overall_timeout_seconds=50",
                  "--test_case=" + name));
      arguments.addAll(List.of(options));
      if (name.startsWith("orca")) {
        arguments.add("--service_config_json=" + BACKEND_METRICS);
      }
      TestServiceClient.main(arguments.toArray(String[]::new));
    } finally {
      pool.shutdownNow();
    }
  }

  private static GrpcProvider services(ScheduledExecutorService pool) {
    var metrics = MetricRecorder.newInstance();
    var interceptors = new ArrayList<>(TestServiceImpl.interceptors());
    interceptors.add(OrcaMetricReportingServerInterceptor.create(metrics));
    var service = new TestServiceImpl(pool, metrics);
    return GrpcProvider.of(
        pool,
        () -> ServerInterceptors.intercept(service, interceptors),
        OrcaServiceImpl.createService(pool, metrics, 1, TimeUnit.SECONDS));
  }
}
