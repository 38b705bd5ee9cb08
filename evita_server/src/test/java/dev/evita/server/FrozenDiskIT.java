// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.evita.server.ApiClient.Answer;
import dev.evita.server.ApiClient.Api;
import dev.evita.testsupport.FreezableDisk;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SQLite on a file system whose writes do not return. */
@Tag("long")
@Timeout(120)
final class FrozenDiskIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROUNDS = 10;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path folder;
  private FreezableDisk disk;
  private String url;
  private URI readiness;

  @BeforeEach
  void createDatabase() throws Exception {
    var mounted = FreezableDisk.mount(folder.resolve("disk"));
    Assumptions.assumeTrue(mounted.isPresent());
    disk = mounted.get();
    url = "jdbc:sqlite:" + folder.resolve("disk").resolve("pets.db");
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = wal");
      statement.execute("create table pets (id integer primary key, name varchar(20))");
    }
  }

  @AfterEach
  void unmount() {
    threads.shutdownNow();
    http.shutdownNow();
    if (disk != null) {
      disk.close();
    }
  }

  private EvitaProcess serve() throws Exception {
    int management;
    try (var free = new ServerSocket(0)) {
      management = free.getLocalPort();
    }
    readiness = URI.create("http://127.0.0.1:" + management + "/system/readiness");
    return EvitaProcess.start(
            "serve",
            "--db",
            url,
            "--port",
            "0",
            "--management-port",
            String.valueOf(management),
            "--io-threads",
            "2")
        .awaitServing();
  }

  private void awaitReadiness(String text) {
    var request = HttpRequest.newBuilder(readiness).build();
    await()
        .atMost(PATIENCE)
        .until(
            () -> http.send(request, BodyHandlers.ofString()).body(),
            found -> found.contains(text));
  }

  private CompletableFuture<Answer> insert(ApiClient client, int id) {
    return CompletableFuture.supplyAsync(() -> client.insert(Api.REST, id, null), threads);
  }

  @Test
  void write_hangingDisk_isNotReadyUntilItReturnsAndLogsOnce() throws Exception {
    try (var evita = serve();
        var client = new ApiClient(evita.graphQl())) {
      assertThat(client.insert(Api.REST, 1, null).status()).isEqualTo("201");
      awaitReadiness("UP");
      disk.freeze();
      var writes = new ArrayList<CompletableFuture<Answer>>();
      for (int id = 2; id < 6; id++) {
        writes.add(insert(client, id));
      }
      awaitReadiness("has not completed a write");
      assertThat(writes).as("before the timeout of a request").noneMatch(CompletableFuture::isDone);
      disk.thaw();
      awaitReadiness("UP");
      for (var write : writes) {
        assertThat(write.join().status()).isEqualTo("201");
      }
      assertThat(evita.terminate().err())
          .containsOnlyOnce("has not completed a write")
          .containsOnlyOnce("completes writes of the database again");
    }
  }

  /**
   * An I/O thread without a ready connection used to open one, which does not return either: soon
   * no I/O thread was left.
   */
  @Test
  void reads_hangingDiskOfNewEngine_doNotBlockIoThreads() throws Exception {
    try (var evita = serve();
        var client = new ApiClient(evita.graphQl())) {
      assertThat(client.insert(Api.REST, 1, null).status()).isEqualTo("201");
      disk.freeze();
      var all = new ArrayList<CompletableFuture<?>>();
      for (int i = 0; i < ROUNDS; i++) {
        all.add(insert(client, 10 + i));
        all.add(read(evita));
        all.add(read(evita));
        assertThat(get(evita, "/system/liveness").get(60, TimeUnit.SECONDS).statusCode())
            .isEqualTo(200);
      }
      // Each of these blocks another I/O thread than the previous one.
      var unrelated = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < ROUNDS; i++) {
        unrelated.add(get(evita, "/system/liveness"));
      }
      for (var each : unrelated) {
        assertThat(each.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      }
      disk.thaw();
      all.forEach(CompletableFuture::join);
      awaitReadiness("UP");
    }
  }

  private static CompletableFuture<HttpResponse<String>> read(EvitaProcess evita) {
    return get(evita, "/rest/pets?limit=1");
  }

  /** By a connection of its own. */
  private static CompletableFuture<HttpResponse<String>> get(EvitaProcess evita, String path) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .sendAsync(
            HttpRequest.newBuilder(evita.graphQl().resolve(path)).build(), BodyHandlers.ofString());
  }
}
