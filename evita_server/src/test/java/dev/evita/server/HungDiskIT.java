// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hanging disk below an H2 in this process, and its effects on others. */
@Tag("long")
@Timeout(120)
final class HungDiskIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int READERS = 16;

  @TempDir private Path folder;

  @AfterEach
  void release() {
    HangingDisk.release();
  }

  private static CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
    // A connection of its own.
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .sendAsync(request.build(), BodyHandlers.ofString());
  }

  private static String readiness(ExternalApiServer server) {
    return send(HttpRequest.newBuilder(
            server.managementUri().orElseThrow().resolve("/system/readiness")))
        .join()
        .body();
  }

  private static void awaitReadiness(ExternalApiServer server, String text) {
    await().atMost(PATIENCE).until(() -> readiness(server), found -> found.contains(text));
  }

  @Test
  void hangingWrite_delaysOnlyItsThreadAndReadinessIsDown() throws Exception {
    var url = HangingDisk.url(folder.resolve("pets"));
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("create table pets (id int primary key)");
    }
    var options = ServerOptions.builder().ioThreads(2).workerThreads(4).managementPort(0).build();
    try (var engine = JdbcEngine.open(url);
        var server = ExternalApiServer.over(engine).options(options).start()) {
      var pets = URI.create("http://127.0.0.1:" + server.port() + "/rest/pets");
      assertThat(send(HttpRequest.newBuilder(pets)).join().body()).isEqualTo("[]");
      awaitReadiness(server, "UP");

      HangingDisk.hang();
      var write =
          send(
              HttpRequest.newBuilder(pets)
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString("{\"id\":1}")));
      awaitReadiness(server, "DOWN");
      var reads = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < READERS; i++) {
        reads.add(send(HttpRequest.newBuilder(pets)));
      }
      // Connections of the blocked thread wait; half of them belong to the other one.
      CompletableFuture.anyOf(reads.toArray(CompletableFuture[]::new)).join();
      assertThat(write).isNotDone();

      HangingDisk.release();
      for (var read : reads) {
        assertThat(read.join().statusCode()).isEqualTo(200);
      }
      // Its deadline is not over: the disk has returned in time.
      assertThat(write.join().statusCode()).isEqualTo(201);
      awaitReadiness(server, "UP");
    }
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select id from pets")) {
      assertThat(rows.next()).isTrue();
    }
  }
}
