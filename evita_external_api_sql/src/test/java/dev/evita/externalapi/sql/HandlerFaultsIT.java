// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.NativeQuery;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.testkit.ForwardingEngine;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.sql.HandlerServer.Database;
import dev.evita.externalapi.sql.program.HandlerResponse;
import dev.evita.externalapi.sql.run.HandlerChain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults of handlers, of clients and of upstreams. */
@Timeout(60)
final class HandlerFaultsIT {

  @TempDir private Path directory;
  private HandlerServer server;

  @BeforeEach
  void open() {
    server = HandlerServer.over(Database.H2, directory);
  }

  @AfterEach
  void close() {
    server.close();
  }

  // ---- responses ----

  /** Undertow writes the lower byte of each character: U+010D and U+010A would be CR and LF. */
  @Test
  void location_ofCharactersOutsideAscii_isEncoded() {
    server
        .handler(
            "to.sql",
            "-- route: GET /to\n-- query: place\nselect place as location, 'x' as body from request")
        .start();

    var moved = server.get("/to?place=/caf%C3%A9%20%C4%8D%C4%8Ax-evil:1");

    assertThat(moved.headers().firstValue("location"))
        .contains("/caf%C3%A9%20%C4%8D%C4%8Ax-evil:1");
    assertThat(moved.headers().firstValue("x-evil")).isEmpty();
    assertThat(server.get("/to?place=/a%0D%0Ax-evil:1").statusCode()).isEqualTo(500);
  }

  @Test
  void contentType_withLineBreakOrOutsideLatin_isRefused() {
    server
        .handler(
            "type.sql",
            "-- route: GET /type\n-- query: t\nselect t as content_type, 'x' as body from request")
        .program(sql ->
            sql.handler(
                "GET /program",
                (request, transaction) ->
                    new HandlerResponse(200, Map.of(), "text/\u010dplain", new byte[1])))
        .start();

    assertThat(server.get("/type?t=text/plain%0D%0Ax-evil:1").statusCode()).isEqualTo(500);
    assertThat(server.get("/type?t=%C4%8D%C4%8Ax-evil:1").statusCode()).isEqualTo(500);
    assertThat(server.get("/program").statusCode()).isEqualTo(500);
    assertThat(server.get("/type?t=text/csv").headers().firstValue("content-type"))
        .contains("text/csv");
  }

  @Test
  void headers_listOfValues_givesSeveralLines_andLocationIsKept() {
    server
        .handler(
            "links.sql",
            """
            -- route: GET /links
            select '{"link": ["<a>", "<b>"], "location": "/x"}' as headers, 'x' as body
            """)
        .handler(
            "type.sql",
            "-- route: GET /type\nselect '{\"Content-Type\": \"a/b\"}' as headers, 'x' as body")
        .handler(
            "after.sql",
            "-- route: GET /links\n-- stage: after\nselect '{\"location\": \"/y\"}' as headers")
        .start();

    var links = server.get("/links");
    assertThat(links.headers().allValues("link")).containsExactly("<a>", "<b>");
    assertThat(links.headers().allValues("location")).containsExactly("/y");
    assertThat(server.get("/type").statusCode()).isEqualTo(500);
  }

  /** SQLite's JSON has 1 and 0 for true and false. */
  @Test
  void cookie_flagsAsNumbers_areApplied_andOtherTextsRefused() {
    server
        .handler("cookie.sql", "-- route: GET /c\n-- query: c\nselect c as cookies from request")
        .start();

    assertThat(cookie("\"secure\":1,\"http_only\":0"))
        .isEqualTo("a=; Path=/; Secure; SameSite=Lax");
    assertThat(cookie("\"secure\":false")).isEqualTo("a=; Path=/; HttpOnly; SameSite=Lax");
    assertThat(cookie("\"secure\":\"yes\"")).isEqualTo("500");
  }

  private String cookie(String members) {
    var json = "{\"name\":\"a\"," + members + "}";
    var response = server.get("/c?c=" + URLEncoder.encode(json, StandardCharsets.UTF_8));
    return response
        .headers()
        .firstValue("set-cookie")
        .orElse(String.valueOf(response.statusCode()));
  }

  @Test
  void after_withBody_replacesAFile() {
    server
        .options(options -> options.staticFiles(server.directory("web")))
        .file("web", "a.txt", "file")
        .handler("file.sql", "-- route: GET /f\nselect 'a.txt' as file")
        .handler("after.sql", "-- route: GET /f\n-- stage: after\nselect 'replaced' as body")
        .start();

    assertThat(server.get("/f").body()).isEqualTo("replaced");
  }

  @Test
  void file_thatIsMissing_isTheFaultOfItsHandler_notOfOneAfterIt() {
    server
        .options(options -> options.staticFiles(server.directory("web")))
        .handler("file.sql", "-- route: GET /f\nselect 'a.txt' as file")
        .handler("after.sql", "-- route: GET /f\n-- stage: after\nselect '{}' as headers")
        .start();
    var log = new ArrayList<String>();
    var logger = Logger.getLogger(HandlerChain.class.getName());
    var listener =
        new StreamHandler() {
          @Override
          public synchronized void publish(LogRecord event) {
            log.add(new SimpleFormatter().formatMessage(event));
          }
        };
    logger.addHandler(listener);
    try {
      assertThat(server.get("/f").statusCode()).isEqualTo(500);
    } finally {
      logger.removeHandler(listener);
    }

    assertThat(log).singleElement().asString().startsWith("Handler file.sql failed");
  }

  @Test
  void body_ofAnArray_isJson() {
    server.handler("a.sql", "-- route: GET /a\nselect array[1, 2] as body").start();

    var array = server.get("/a");
    assertThat(array.body()).isEqualTo("[1,2]");
    assertThat(array.headers().firstValue("content-type")).contains("application/json");
  }

  @Test
  void file_withAByteOrderMark_isLoaded() {
    server.handler("a.sql", "\ufeff-- route: GET /a\nselect 'a' as body").start();

    assertThat(server.get("/a").body()).isEqualTo("a");
    assertThat(server.get("/b").statusCode()).isEqualTo(404);
  }

  // ---- handlers in Java ----

  @Test
  void program_thatThrowsAnError_is500_andItsTransactionEnds() {
    server
        .program(sql ->
            sql.handler(
                "POST /error",
                (request, transaction) -> {
                  transaction.query("insert into notes values (1, 'a')", Map.of());
                  throw new AssertionError("a fault");
                }))
        .handler("count.sql", "-- route: GET /count\nselect count(*) as body from notes")
        .start();

    assertThat(server.send("POST", "/error", "").statusCode()).isEqualTo(500);
    assertThat(server.get("/count").body()).isEqualTo("0");
    server.db().script("insert into notes values (1, 'b')");
  }

  @Test
  void program_beyondTheDeadline_isRolledBack() {
    server
        .limits(Limits.builder().requestTimeout(Duration.ofMillis(500)).build())
        .program(sql ->
            sql.handler(
                "POST /slow",
                (request, transaction) -> {
                  transaction.query("insert into notes values (1, 'a')", Map.of());
                  try {
                    while (true) {
                      transaction.query("select 1 as one", Map.of());
                    }
                  } catch (EvitaException e) { // at the deadline
                    return HandlerResponse.of(204);
                  }
                }))
        .handler("count.sql", "-- route: GET /count\nselect count(*) as body from notes")
        .start();

    assertThat(server.send("POST", "/slow", "").statusCode()).isEqualTo(504);
    server.db().script("insert into notes values (1, 'b')"); // waits for the end of the other
    assertThat(server.get("/count").body()).isEqualTo("1");
  }

  /** Code between its queries cannot be interrupted; its client is answered all the same. */
  @Test
  void program_thatDoesNotReturn_is504_andItsTransactionIsRolledBack() {
    var returns = new CountDownLatch(1);
    server
        .limits(Limits.builder().requestTimeout(Duration.ofMillis(500)).build())
        .program(sql ->
            sql.handler(
                "POST /stuck",
                (request, transaction) -> {
                  transaction.query("insert into notes values (1, 'a')", Map.of());
                  returns.await();
                  return HandlerResponse.of(204);
                }))
        .handler("count.sql", "-- route: GET /count\nselect count(*) as body from notes")
        .start();

    assertThat(server.send("POST", "/stuck", "").statusCode()).isEqualTo(504);
    assertThat(server.get("/count").body()).isEqualTo("0");
    returns.countDown();
    server.db().script("insert into notes values (1, 'b')"); // waits for the end of the other
    assertThat(server.get("/count").body()).isEqualTo("1");
  }

  @Test
  void program_thatMeetsAConflict_isRunAgain() {
    var runs = new AtomicInteger();
    server
        .program(sql ->
            sql.handler(
                "POST /conflict",
                (request, transaction) -> {
                  transaction.query("insert into notes values (1, 'a')", Map.of());
                  if (runs.incrementAndGet() < 3) {
                    throw new EvitaException(ErrorCode.SERIALIZATION_FAILURE, "a conflict");
                  }
                  return HandlerResponse.text("run " + runs);
                }))
        .handler("count.sql", "-- route: GET /count\nselect count(*) as body from notes")
        .start();

    assertThat(server.send("POST", "/conflict", "").body()).isEqualTo("run 3");
    assertThat(server.get("/count").body()).isEqualTo("1");
  }

  // ---- templates ----

  @Test
  void template_withUnknownPartial_isRefusedWithItsLine() {
    server
        .options(options -> options.templates(server.directory("templates")))
        .file("templates", "page.html", "<p>\n{{#a}}\n{{> foot.html }}{{/a}}</p>");

    assertThatThrownBy(server::start)
        .hasMessage(
            "Template page.html, line 3: it contains {{>foot.html}}, there is no such template;"
                + " expected one of [page.html]");
  }

  /** Within a section, the data may end the recursion. */
  @Test
  void templates_thatContainEachOther_areRefused_unlessInASection() {
    server
        .options(options -> options.templates(server.directory("templates")))
        .file("templates", "a.html", "a\n{{>b.html}}")
        .file("templates", "b.html", "b{{>a.html}}");

    assertThatThrownBy(server::start)
        .hasMessageContaining("Template a.html, line 2: it contains {{>b.html}}")
        .hasMessageContaining("which contains this one again");

    server
        .file("templates", "b.html", "b{{#sub}}{{>a.html}}{{/sub}}")
        .handler(
            "tree.sql",
            """
            -- route: GET /tree
            select 'a.html' as template, '{"sub":{"sub":null}}' format json as sub
            """)
        .start();
    assertThat(server.get("/tree").body()).isEqualTo("a\nba\nba\nb");
  }

  // ---- the database ----

  /** Fails while it compiles handlers. */
  private static final class UnreachableEngine extends ForwardingEngine {
    volatile boolean unreachable;

    UnreachableEngine(Engine engine) {
      super(engine);
    }

    @Override
    public Prepared prepare(Operation operation) {
      if (unreachable && operation instanceof NativeQuery) {
        throw new EvitaException(ErrorCode.DATABASE_UNREACHABLE, "it does not respond");
      }
      return super.prepare(operation);
    }
  }

  @Test
  void handlerThatTheDatabaseCouldNotCompile_isCompiledLater() {
    var engine = new AtomicReference<UnreachableEngine>();
    server
        .engine(inner -> {
          engine.set(new UnreachableEngine(inner));
          return engine.get();
        })
        .handler("a.sql", "-- route: GET /a\nselect 'a' as body")
        .start();
    engine.get().unreachable = true;
    server.db().script("create table other (id integer primary key)");
    server.server().refresh();

    var failed = server.get("/a");
    assertThat(failed.statusCode()).isEqualTo(503);
    assertThat(failed.body()).contains("DATABASE_UNREACHABLE");
    engine.get().unreachable = false;
    await().until(() -> server.get("/a").statusCode() == 200);
  }

  @Test
  void program_nameOfValue_cannotBecomeSql() {
    server
        .program(sql ->
            sql.handler(
                "GET /names",
                (request, transaction) ->
                    HandlerResponse.text(
                        transaction
                            .query("select * from request", Map.of("a\") as (select 1) --", 1))
                            .toString())))
        .start();

    assertThat(server.get("/names").body()).contains("is no name of a value");
  }

  // ---- requests ----

  @Test
  void inputs_ofALaterHandler_areReadInItsTurn() {
    server
        .handler("a.sql", "-- route: GET /x\n-- priority: 1\nselect 'first' as body")
        .handler(
            "b.sql",
            "-- route: GET /x\n-- query: n integer\nselect 'second' as body from request where n > 0")
        .start();

    assertThat(server.get("/x?n=y").body()).isEqualTo("first");
  }

  /** A browser's form never has a lone percent sign, but other clients do. */
  @Test
  void formField_withAnInvalidEscape_isDecodedAroundIt() {
    server.handler("f.sql", "-- route: POST /f\n-- form: x\nselect x as body from request").start();

    var sent = server.post("/f", "application/x-www-form-urlencoded", "x=100%+%C3%A9%zz$1");
    assertThat(sent.body()).isEqualTo("100% \u00e9%zz$1");
  }

  @Test
  void liveHandler_isRefusedByHandlersBeforeIt() {
    server
        .handler("live.sql", "-- route: GET /live\n-- live: true\nselect 'secret' as body")
        .handler(
            "before.sql",
            """
            -- stage: before
            -- query: token
            select 401 as status, '{"www-authenticate": "Key"}' as headers, 'no' as body
              from request where token is null
            """)
        .start();

    var refused = server.get("/live", "Accept", "text/event-stream");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).isEqualTo("no");
    assertThat(firstEvent("/live?token=1")).isEqualTo("data: secret");
  }

  private String firstEvent(String target) {
    try (var socket = new Socket(server.uri("").getHost(), server.uri("").getPort())) {
      socket
          .getOutputStream()
          .write(
              ("GET "
                      + target
                      + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      var lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      while (true) {
        var line = lines.readLine();
        if (line == null || line.startsWith("data: ")) {
          return String.valueOf(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- upstreams ----

  private HttpServer startUpstream() throws IOException {
    var started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    started.createContext(
        "/",
        exchange -> {
          var path = exchange.getRequestURI().toString().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, path.length);
          try (var out = exchange.getResponseBody()) {
            out.write(path);
          }
        });
    started.start();
    server.options(options ->
        options.upstreams(
            Map.of("up", "http://127.0.0.1:" + started.getAddress().getPort() + "/base")));
    return started;
  }

  /** The end of a response overtook its last part, on another worker: some were empty. */
  @Test
  void upstream_shortResponses_arePassedBackCompletely() throws IOException {
    var upstream = startUpstream();
    server.handler("p.sql", "-- route: GET /p\nselect 'up/x' as upstream").start();
    try {
      for (int i = 0; i < 500; i++) {
        assertThat(server.get("/p").body()).isEqualTo("/base/x");
      }
    } finally {
      upstream.stop(0);
    }
  }

  @Test
  void upstream_pathWithDots_is400_andAnEncodedSlashStaysEncoded() throws IOException {
    var upstream = startUpstream();
    server
        .handler("all.sql", "-- route: GET /p/*rest\nselect 'up' as upstream")
        .handler(
            "own.sql",
            "-- route: GET /q\n-- query: place\nselect 'up/' || place as upstream from request")
        .start();
    try {
      assertThat(server.get("/p/a%2Fb%20c").body()).isEqualTo("/base/p/a%2Fb%20c");
      assertThat(server.get("/p/%2e%2e/%2e%2e/secret").statusCode()).isEqualTo(400);
      assertThat(server.get("/q?place=../secret").statusCode()).isEqualTo(400);
      assertThat(server.get("/q?place=%252e%252e/secret").statusCode()).isEqualTo(400);
    } finally {
      upstream.stop(0);
    }
  }
}
