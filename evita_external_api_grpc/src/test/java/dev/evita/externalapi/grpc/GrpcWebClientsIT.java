// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.evita.api.testkit.NodeProject;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import io.grpc.ServerInterceptors;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.grpc.services.MetricRecorder;
import io.grpc.testing.integration.TestServiceGrpc;
import io.grpc.testing.integration.TestServiceImpl;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clients of gRPC-Web that exist work unchanged. */
final class GrpcWebClientsIT {

  @Test
  @Timeout(120)
  void clientsForPages_call() throws Exception {
    var node = NodeProject.install("grpc-web", "client.mjs", "gRPC-Web with its clients");
    var pool = Executors.newScheduledThreadPool(2);
    var service = new TestServiceImpl(pool, MetricRecorder.newInstance());
    try (var engine = JdbcEngine.open("jdbc:h2:mem:");
        var server =
            ExternalApiServer.over(engine)
                .provider(
                    GrpcProvider.of(
                        pool,
                        () ->
                            ServerInterceptors.intercept(service, TestServiceImpl.interceptors())))
                .withoutDiscovery()
                .start()) {
      assertThat(node.run("node", "client.mjs", server.uri().toString(), descriptors()).lines())
          .containsExactly(
              "connect: unary, with metadata both ways",
              "connect: stream",
              "connect: failures",
              "connect: deadline",
              "connect: cancelled",
              "grpc-web: text",
              "grpc-web: binary",
              "grpc-web: stream");
    } finally {
      pool.shutdownNow();
    }
  }

  private static String descriptors() {
    var schema =
        (ProtoFileDescriptorSupplier) TestServiceGrpc.getServiceDescriptor().getSchemaDescriptor();
    var files = new LinkedHashSet<FileDescriptor>();
    collect(schema.getFileDescriptor(), files);
    var set = FileDescriptorSet.newBuilder();
    files.forEach(file -> set.addFile(file.toProto()));
    return Base64.getEncoder().encodeToString(set.build().toByteArray());
  }

  private static void collect(FileDescriptor file, Set<FileDescriptor> into) {
    file.getDependencies().forEach(dependency -> collect(dependency, into));
    into.add(file);
  }
}
