// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.server.ApiClient.Api;
import dev.evita.testsupport.SmallDisk;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A full in-memory file system: a failed write is final until a restart. */
@Tag("long")
@Timeout(180)
final class FullDiskIT {

  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
  private static final int MEGABYTES = 16;
  private static final List<Api> APIS = List.of(Api.values());

  @TempDir private Path folder;

  private String url(String kind) {
    return "jdbc:" + kind + ":" + folder.resolve("disk").resolve("pets");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite"})
  void failedWrite_isFinalAndLosesNoAcknowledgedRows(String kind) throws Exception {
    var disk = SmallDisk.mount(folder.resolve("disk"), MEGABYTES);
    Assumptions.assumeTrue(disk.isPresent());
    try (var small = disk.get()) {
      create(url(kind));
      Set<Integer> acknowledged;
      try (var evita = serve(kind);
          var client = new ApiClient(evita.graphQl())) {
        acknowledged = fill(client, small, kind);
        requireFailed(client, kind);
        small.free();
        requireFailed(client, kind);
        var end = evita.terminate();
        assertThat(end.status()).isEqualTo(143);
        assertThat(end.err()).containsOnlyOnce("storage failed; writes are rejected");
        assertThat(end.err().lines()).hasSizeLessThan(600);
      }
      try (var evita = serve(kind);
          var client = new ApiClient(evita.graphQl())) {
        assertThat(client.readiness()).isEqualTo("UP");
        assertThat(ids(client.read(Api.REST).body())).containsAll(acknowledged);
        if (kind.equals("sqlite")) {
          assertThat(ids(client.read(Api.REST).body())).hasSameSizeAs(acknowledged);
        }
        assertThat(client.insert(Api.REST, 1_000_000, null).status()).isEqualTo("201");
        assertThat(evita.terminate().status()).isEqualTo(143);
      }
    }
  }

  private static void create(String url) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("create table pets (id integer primary key, name varchar(20))");
    }
  }

  private EvitaProcess serve(String kind) {
    return EvitaProcess.start("serve", "--db", url(kind), "--port", "0", "--max-rows", "1000000")
        .awaitServing();
  }

  /** Writes until the first failure, with no space left on the disk after a hundred rows. */
  private static Set<Integer> fill(ApiClient client, SmallDisk disk, String kind) {
    var acknowledged = new HashSet<Integer>();
    for (int id = 1; ; id++) {
      if (id % 100 == 0) {
        disk.fill();
      }
      var api = APIS.get(id % APIS.size());
      var answer = client.insert(api, id, null);
      if (!answer.isGood()) {
        // H2 does not report what it has written; SQLite has rolled back.
        assertThat(answer.code())
            .isEqualTo(kind.equals("h2") ? "COMMIT_UNKNOWN" : "STORAGE_FAILED");
        requireNoInternals(answer);
        return acknowledged;
      }
      acknowledged.add(id);
      assertThat(id).isLessThan(100_000);
    }
  }

  private static void requireNoInternals(ApiClient.Answer answer) {
    assertThat(answer.body())
        .doesNotContainPattern("Exception|\\b(?:java|org|sun)\\.\\w+\\.|@[0-9a-f]{5}|/tmp/");
  }

  private static void requireFailed(ApiClient client, String kind) {
    assertThat(client.readiness()).isEqualTo("STORAGE_FAILED");
    for (var api : Api.values()) {
      var write = client.insert(api, 999_999, null);
      assertThat(write.code()).isEqualTo("STORAGE_FAILED");
      assertThat(write.status()).isIn("503", "UNAVAILABLE", "200");
      requireNoInternals(write);
      var read = client.read(api);
      requireNoInternals(read);
      if (kind.equals("h2")) {
        // H2 would return rows that are only in memory.
        assertThat(read.code()).isEqualTo("STORAGE_FAILED");
      } else {
        assertThat(read.isGood()).isTrue();
        assertThat(ids(read.body())).doesNotContain(999_999);
      }
    }
  }

  private static Set<Integer> ids(String body) {
    var ids = new HashSet<Integer>();
    var matcher = ID.matcher(body);
    while (matcher.find()) {
      ids.add(Integer.valueOf(matcher.group(1)));
    }
    return ids;
  }
}
