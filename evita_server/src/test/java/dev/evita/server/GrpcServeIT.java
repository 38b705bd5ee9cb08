// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evita serve} offers gRPC, without cost until its first use. */
final class GrpcServeIT {

  @TempDir private Path directory;

  @Test
  void grpc_isLoadedOnFirstUse() throws Exception {
    var script =
        Files.writeString(directory.resolve("init.sql"), "create table pets (id int primary key)");
    var classes = directory.resolve("classes.txt");
    var environment = Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load=info:file=" + classes);
    try (var evita =
        EvitaProcess.start(
                environment,
                "serve",
                "--db",
                "jdbc:h2:mem:pets",
                "--init",
                script.toString(),
                "--port",
                "0")
            .awaitServing()) {
      assertThat(evita.query("{ pets { id } }")).isEqualTo("{\"data\":{\"pets\":[]}}");
      assertThat(classes)
          .content()
          .contains(" dev.evita.externalapi.grpc.GrpcProvider ")
          .doesNotContain(" com.google.protobuf.", " io.grpc.");

      assertThat(get(evita.graphQl().resolve("/grpc/public.proto"))).contains("service Pets {");
      assertThat(classes).content().contains(" com.google.protobuf.", " io.grpc.");
    }
  }

  private static String get(URI uri) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(uri).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}
