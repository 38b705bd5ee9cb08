// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.api.testkit.AsynchronousEngine;
import dev.evita.api.testkit.FaultyEngine;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever becomes of a write, its transaction ends, and nothing of what failed is kept. */
@Timeout(120)
final class WriteFailureIT {

  private static final String BRAND = "{\"id\":4,\"name\":\"N\"}";

  /** A step that no transaction has. */
  private static final int NEVER = 99;

  /** Requests that add the brand 4, each in its own way. */
  enum Write {
    PLAIN(1, "/brands", BRAND, ""),
    GUARDED(2, "/brands?id=eq.4", BRAND, "If-None-Match: *"),
    REMEMBERED(3, "/brands", BRAND, "Idempotency-Key: k"),
    NESTED(
        2,
        "/brands",
        "{\"id\":4,\"name\":\"N\",\"products\":[{\"id\":9,\"name\":\"P\",\"active\":true}]}",
        ""),
    ORDERED(
        2,
        "/brands?order=name",
        "[{\"id\":5,\"name\":\"O\"}," + BRAND + "]",
        "Prefer: return=representation"),
    BATCH(
        3,
        "/$batch",
        "{\"requests\":[{\"method\":\"POST\",\"url\":\"tags\",\"body\":{\"id\":9,\"name\":\"T\"}},"
            + "{\"method\":\"POST\",\"url\":\"brands\",\"body\":"
            + BRAND
            + "},{\"method\":\"GET\",\"url\":\"brands\"}]}",
        "");

    private final int statements;
    private final String target;
    private final String body;
    private final String header;

    Write(int statements, String target, String body, String header) {
      this.statements = statements;
      this.target = target;
      this.body = body;
      this.header = header;
    }

    private HttpResponse<String> send(RestServer rest) {
      return rest.write(
          this == GUARDED ? "PUT" : "POST",
          target,
          body,
          header.isEmpty() ? new String[0] : header.split(": ", -1));
    }
  }

  private static RestServer over(
      AtomicReference<FaultyEngine> faulty, boolean later, Limits limits) {
    return RestServer.shop(
        (Engine engine) -> {
          var made = new FaultyEngine(later ? new AsynchronousEngine(engine) : engine);
          faulty.set(made);
          return made;
        },
        ServerOptions.builder().limits(limits).drain(Duration.ofSeconds(1)).build());
  }

  /** Each statement of each write, over synchronous and asynchronous engines. */
  static Stream<Arguments> statements() {
    return Stream.of(Write.values())
        .flatMap(write ->
            Stream.iterate(1, step -> step + 1)
                .limit(write.statements)
                .flatMap(step ->
                    Stream.of(Arguments.of(write, step, false), Arguments.of(write, step, true))));
  }

  /** The same, with the beginning and the commit. */
  static Stream<Arguments> steps() {
    var around = new ArrayList<Arguments>();
    for (var write : Write.values()) {
      for (var step : List.of(0, FaultyEngine.COMMIT)) {
        around.add(Arguments.of(write, step, false));
        around.add(Arguments.of(write, step, true));
      }
    }
    return Stream.concat(around.stream(), statements());
  }

  private static void requireUntouched(FaultyEngine engine, RestServer rest) {
    assertThat(engine.openTransactions()).isZero();
    assertThat(engine.commits()).isZero();
    assertThat(rest.get("/brands?id=eq.4")).isEqualTo("[]");
    assertThat(rest.get("/products?id=eq.9")).isEqualTo("[]");
    assertThat(rest.get("/tags?id=eq.9")).isEqualTo("[]");
  }

  private static void requireWorking(FaultyEngine engine, RestServer rest, Write write) {
    engine.failing(NEVER).hanging(NEVER);
    var answer = write.send(rest);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 204);
    assertThat(rest.get("/brands?id=eq.4&select=name")).isEqualTo("[{\"name\":\"N\"}]");
    assertThat(engine.openTransactions()).isZero();
  }

  @ParameterizedTest
  @MethodSource("steps")
  void failureAtAnyStep_rollsBack_andServerContinues(Write write, int step, boolean later) {
    var faulty = new AtomicReference<FaultyEngine>();
    try (var rest = over(faulty, later, Limits.DEFAULT)) {
      var engine = faulty.get().failing(step);
      var answer = write.send(rest);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
      assertThat(answer.body()).contains("\"error\":\"DATABASE_ERROR\"", "failed on demand");
      requireUntouched(engine, rest);
      requireWorking(engine, rest, write);
    }
  }

  @ParameterizedTest
  @MethodSource("statements")
  void deadline_rollsBack_andServerContinues(Write write, int step, boolean later) {
    var faulty = new AtomicReference<FaultyEngine>();
    var short_ = Limits.builder().requestTimeout(Duration.ofMillis(300)).build();
    try (var rest = over(faulty, later, short_)) {
      var engine = faulty.get().hanging(step);
      var answer = write.send(rest);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(504);
      assertThat(answer.body()).contains("\"error\":\"DEADLINE_EXCEEDED\"");
      requireUntouched(engine, rest);
    }
  }

  /** Each write, over synchronous and asynchronous engines. */
  static Stream<Arguments> writes() {
    return Stream.of(Write.values())
        .flatMap(write -> Stream.of(Arguments.of(write, false), Arguments.of(write, true)));
  }

  @ParameterizedTest
  @MethodSource("writes")
  void write_withConflict_isRetried_once(Write write, boolean later) {
    var faulty = new AtomicReference<FaultyEngine>();
    try (var rest = over(faulty, later, Limits.DEFAULT)) {
      var engine = faulty.get().losing(11);
      requireWorking(engine, rest, write);
      assertThat(engine.transactions()).isEqualTo(12);
      assertThat(engine.commits()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("writes")
  void writeThatAlwaysLoses_isToldOf(Write write, boolean later) {
    var faulty = new AtomicReference<FaultyEngine>();
    try (var rest = over(faulty, later, Limits.DEFAULT)) {
      var engine = faulty.get().losing(12);
      var answer = write.send(rest);
      if (write == Write.GUARDED) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(412);
      } else {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        assertThat(answer.body()).contains("\"code\":\"40001\"", "lost on demand");
      }
      requireUntouched(engine, rest);
      requireWorking(engine, rest, write);
    }
  }

  @ParameterizedTest
  @EnumSource(Write.class)
  void clientDisconnect_rollsBack(Write write) throws Exception {
    var faulty = new AtomicReference<FaultyEngine>();
    try (var rest = over(faulty, false, Limits.DEFAULT)) {
      if (write == Write.REMEMBERED) {
        // The table of the keys is there already.
        rest.write("POST", "/tags", "{\"id\":8,\"name\":\"T\"}", "Idempotency-Key", "first");
      }
      var engine = faulty.get().hanging(write.statements);
      var before = engine.commits();
      try (var socket = leaving(rest, write)) {
        engine.awaitHanging();
        assertThat(engine.openTransactions()).isEqualTo(1);
        socket.setSoLinger(true, 0);
      }
      while (engine.openTransactions() > 0) {
        Thread.onSpinWait();
      }
      assertThat(engine.commits()).isEqualTo(before);
      assertThat(rest.get("/brands?id=eq.4")).isEqualTo("[]");
      requireWorking(engine, rest, write);
    }
  }

  private static Socket leaving(RestServer rest, Write write) throws Exception {
    var uri = rest.uri(write.target);
    var head =
        new StringBuilder(write == Write.GUARDED ? "PUT " : "POST ")
            .append(uri.getRawPath())
            .append(uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery())
            .append(" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
            .append("Content-Length: " + write.body.length() + "\r\n");
    if (!write.header.isEmpty()) {
      head.append(write.header).append("\r\n");
    }
    var socket = new Socket(InetAddress.getLoopbackAddress(), uri.getPort());
    socket.getOutputStream().write((head + "\r\n" + write.body).getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    return socket;
  }

  @Test
  void shutdown_rollsBackOpenTransactions() {
    var faulty = new AtomicReference<FaultyEngine>();
    var rest = over(faulty, false, Limits.DEFAULT);
    var engine = faulty.get().hanging(2);
    var answer = CompletableFuture.supplyAsync(() -> Write.BATCH.send(rest));
    engine.awaitHanging();
    rest.close();
    engine.awaitEnd();
    assertThat(engine.openTransactions()).isZero();
    assertThat(engine.commits()).isZero();
    answer.handle((response, failure) -> response).join();
  }

  @Test
  void badInput_beginsNoTransaction() {
    var faulty = new AtomicReference<FaultyEngine>();
    try (var rest = over(faulty, false, Limits.DEFAULT)) {
      assertThat(rest.write("POST", "/brands", "{\"id\":\"x\"}").statusCode()).isEqualTo(400);
      assertThat(rest.write("DELETE", "/brands", "").statusCode()).isEqualTo(400);
      assertThat(rest.write("POST", "/$batch", "{}").statusCode()).isEqualTo(400);
      assertThat(faulty.get().transactions()).isZero();
    }
  }
}
