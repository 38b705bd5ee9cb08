// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.live.FeedOptions;
import dev.evita.externalapi.rest.RestServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client that applies all events has the rows of a read in the end, regardless of lost
 * connections: random writes of several clients, by REST and directly, while others subscribe and
 * disconnect.
 */
@Timeout(300)
final class ChangesReplayIT {

  private static final String SCRIPT =
      """
      create table owners (id int primary key, name varchar(50) not null);
      create table items (
        id int primary key, owner_id int references owners (id), name varchar(50), price int);
      insert into owners values (1, 'One'), (2, 'Two'), (3, 'Three');
      insert into items values (1, 1, 'a', 10), (2, 2, 'b', 60), (3, null, 'c', 90);
      """;

  private static final List<String> FOLLOWED =
      List.of(
          "/items?select=*,owners(name)",
          "/items?price=gt.50&order=id",
          "/items?select=id,price&order=price.desc,id&limit=5",
          "/owners?select=name,items(id,price)");

  private static final int IDS = 40;
  private static final int WRITES = 120;
  private static final int WRITERS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Few enough changes are kept for some clients to begin anew. */
  @ParameterizedTest
  @CsvSource({"h2, 10000", "h2, 8", "sqlite, 10000", "sqlite, 8", "postgresql, 10000"})
  void events_replayed_areTheTable(String kind, int kept) throws Exception {
    var seed = System.nanoTime();
    var feeds =
        FeedOptions.builder()
            .maxLiveRuns(4)
            .maxFeedBytes(1 << 20)
            .feedLogChanges(kept)
            .feedLogBytes(1 << 20)
            .feedLinger(Duration.ofMinutes(1))
            .build();
    var options = ServerOptions.builder().feeds(feeds).pollInterval(Duration.ofMillis(20)).build();
    var written = new AtomicBoolean();
    try (var rest = RestServer.over(kind, SCRIPT, options);
        var threads = Executors.newCachedThreadPool()) {
      var followers = new ArrayList<Future<?>>();
      for (int i = 0; i < 2 * FOLLOWED.size(); i++) {
        var random = new Random(seed + i);
        var target = FOLLOWED.get(i % FOLLOWED.size());
        followers.add(threads.submit(() -> follow(rest, target, random, written)));
      }
      await(write(rest, threads, seed), seed);
      written.set(true);
      await(followers, seed);
    }
  }

  private static void await(List<Future<?>> all, long seed) throws Exception {
    for (var each : all) {
      try {
        each.get();
      } catch (ExecutionException e) {
        throw new AssertionError("with seed " + seed + ": " + e.getCause(), e);
      }
    }
  }

  private static List<Future<?>> write(RestServer rest, ExecutorService threads, long seed) {
    var writers = new ArrayList<Future<?>>();
    for (int i = 0; i < WRITERS; i++) {
      var random = new Random(~seed + i);
      var past = i == 0;
      writers.add(
          threads.submit(() -> {
            for (int n = 0; n < WRITES; n++) {
              if (past) {
                past(rest, random);
              } else {
                through(rest, random);
              }
            }
          }));
    }
    return writers;
  }

  /** Past Evita. One that loses against another writes nothing. */
  private static void past(RestServer rest, Random random) {
    var id = random.nextInt(IDS);
    var sql =
        switch (random.nextInt(4)) {
          case 0 -> "insert into items values (" + id + ", null, 'p', " + random.nextInt(100) + ")";
          case 1 -> "delete from items where id = " + id;
          case 2 -> "update owners set name = 'o" + random.nextInt(9) + "' where id = 1";
          default -> "update items set price = " + random.nextInt(100) + " where id > " + id;
        };
    try (var connection = rest.connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      // such as a key that exists
    }
  }

  private static void through(RestServer rest, Random random) {
    var id = random.nextInt(IDS);
    var row =
        "{\"id\":%d,\"owner_id\":%d,\"name\":\"n%d\",\"price\":%d}"
            .formatted(id, 1 + random.nextInt(3), random.nextInt(5), random.nextInt(100));
    switch (random.nextInt(4)) {
      case 0 -> send(rest, "POST", "/items", row);
      case 1 -> send(rest, "DELETE", "/items?id=eq." + id, "");
      case 2 -> send(rest, "PUT", "/items?id=eq." + id, row);
      default ->
          send(rest, "PATCH", "/items?id=gt." + id, "{\"price\":" + random.nextInt(99) + "}");
    }
  }

  private static void send(RestServer rest, String method, String target, String body) {
    var request =
        HttpRequest.newBuilder(rest.uri(target))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    assertThat(rest.send(request.build()).statusCode()).isNotEqualTo(500);
  }

  private static void follow(RestServer rest, String target, Random random, AtomicBoolean written) {
    var replay = new Replay();
    while (true) {
      var last = written.get();
      var headers =
          replay.lastId().isEmpty()
              ? new String[0]
              : new String[] {"Last-Event-ID", replay.lastId()};
      var version = random.nextBoolean() ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2;
      try (var reader = EventReader.open(version, rest, target, headers)) {
        if (last) {
          untilSame(rest, target, reader, replay);
          return;
        }
        for (int left = random.nextInt(60); left > 0 && !written.get(); left--) {
          var event = reader.poll(200);
          if (event != null) {
            replay.apply(event);
          }
        }
      }
    }
  }

  /** Called after the last write: reads the remaining events and compares the rows. */
  private static void untilSame(RestServer rest, String target, EventReader reader, Replay replay) {
    var event = reader.next();
    while (!event.name().equals("ready")) {
      replay.apply(event);
      event = reader.next();
    }
    // What others have written past Evita is noticed later, and the more so on a busy machine.
    var end = Instant.now().plus(PATIENCE);
    var rows = rows(rest, target);
    while (!sorted(replay.rows()).equals(rows) && Instant.now().isBefore(end)) {
      var more = reader.poll(100);
      if (more != null) {
        replay.apply(more);
      } else {
        rows = rows(rest, target);
      }
    }
    assertThat(sorted(replay.rows())).isEqualTo(rows);
  }

  private static List<String> rows(RestServer rest, String target) {
    return sorted(rest.get(target, "Accept", "application/x-ndjson").lines().toList());
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }
}
