// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.live.FeedOptions;
import dev.evita.externalapi.rest.RestServer;
import dev.evita.testsupport.ProcessMemory;
import java.net.http.HttpClient;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A slow consumer of a change feed costs no memory, and gets the missed events later. */
@Tag("long")
@Timeout(240)
final class SlowFollowerIT {

  private static final int MEGABYTE = 1 << 20;
  private static final int CHANGES = 100;
  private static final long SPARE = 60L * MEGABYTE;

  /** The patience of a slow client, so that this one is not cut off. */
  private static Limits limits() {
    return Limits.builder().slowClientTimeout(Duration.ofMinutes(10)).build();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void slowConsumer_costsNoMemoryAndRestarts(HttpClient.Version version) throws SQLException {
    var script = "create table notes (id int primary key, note varchar);\n";
    var feeds =
        FeedOptions.builder()
            .maxFeeds(10)
            .maxFeedBytes(8 * MEGABYTE)
            .feedLogChanges(1_000)
            .feedLogBytes(2 * MEGABYTE)
            .feedLinger(Duration.ZERO)
            .build();
    var options = ServerOptions.builder().limits(limits()).feeds(feeds).build();
    try (var rest = RestServer.over("h2", script, options);
        var quick = EventReader.open(rest, "/notes");
        var connection = rest.connect();
        var statement = connection.createStatement()) {
      assertThat(quick.told()).startsWith("reset");
      assertThat(quick.told()).startsWith("ready");
      statement.execute("insert into notes values (1, '')");
      assertThat(quick.told()).startsWith("insert");
      change(statement, quick); // what the database and the quick one hold of it counts as before
      var before = ProcessMemory.used();
      try (var slow = EventReader.stalled(version, rest, "/notes")) {
        change(statement, quick);
        assertThat(ProcessMemory.used() - before).isLessThan(SPARE);
        read(slow);
      }
    }
  }

  private static void change(Statement statement, EventReader quick) throws SQLException {
    for (int i = 1; i <= CHANGES; i++) {
      statement.execute("update notes set note = '" + i + "-' || repeat('x', " + MEGABYTE + ")");
      assertThat(quick.told()).contains("\"note\":\"" + i + "-x");
    }
  }

  private static void read(EventReader slow) {
    slow.resume();
    var replay = new Replay();
    var event = slow.next();
    while (!event.data().equals("{\"reason\":\"behind\"}")) {
      replay.apply(event);
      event = slow.next();
    }
    while (!event.name().equals("ready")) {
      replay.apply(event);
      event = slow.next();
    }
    assertThat(replay.rows()).hasSize(1);
    assertThat(replay.rows().getFirst()).startsWith("{\"id\":1,\"note\":\"" + CHANGES + "-x");
  }
}
