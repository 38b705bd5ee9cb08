// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.sql.HandlerServer.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Outcomes beyond a body: upstreams, events, aborted connections, and faults at the start. */
@Timeout(60)
final class OutcomesIT {

  @TempDir private Path directory;
  private HandlerServer server;
  private @Nullable HttpServer upstream;

  @BeforeEach
  void open() {
    server = HandlerServer.over(Database.H2, directory);
  }

  @AfterEach
  void close() {
    server.close();
    if (upstream != null) {
      upstream.stop(0);
    }
  }

  private String startUpstream() throws IOException {
    var started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream = started;
    started.createContext(
        "/",
        exchange -> {
          var body =
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("X-Forwarded-For")
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("X-Upstream", "yes");
          exchange.getResponseHeaders().add("Set-Cookie", "a=1");
          exchange.getResponseHeaders().add("Set-Cookie", "b=2");
          exchange.sendResponseHeaders(202, 0);
          try (var out = exchange.getResponseBody()) {
            out.write((body + "x".repeat(200_000)).getBytes(StandardCharsets.UTF_8));
          }
        });
    started.start();
    return "http://127.0.0.1:" + started.getAddress().getPort();
  }

  @Test
  void upstream_receivesTheRequest_andItsResponseIsPassedBack() throws IOException {
    var url = startUpstream();
    server
        .options(options -> options.upstreams(Map.of("backend", url, "dead", "http://127.0.0.1:1")))
        .handler("all.sql", "-- route: /proxy/*rest\nselect 'backend' as upstream")
        .handler(
            "some.sql",
            "-- route: GET /count\nselect 'backend/_count?q=1' as upstream from request")
        .handler("dead.sql", "-- route: GET /dead\nselect 'dead' as upstream")
        .handler("unknown.sql", "-- route: GET /unknown\nselect 'nobody' as upstream")
        .start();

    var passed = server.send("POST", "/proxy/a%20b?c=d", "body");
    assertThat(passed.statusCode()).isEqualTo(202);
    assertThat(passed.body())
        .startsWith("POST /proxy/a%20b?c=d 127.0.0.1 bodyx")
        .hasSizeGreaterThan(200_000);
    assertThat(passed.headers().firstValue("x-upstream")).contains("yes");
    assertThat(passed.headers().allValues("set-cookie")).containsExactly("a=1", "b=2");
    assertThat(server.get("/count").body()).startsWith("GET /_count?q=1 ");
    var dead = server.get("/dead");
    assertThat(dead.statusCode()).isEqualTo(502);
    assertThat(dead.body()).contains("UPSTREAM_FAILED");
    assertThat(server.get("/unknown").statusCode()).isEqualTo(500);
  }

  @Test
  void abort_closesTheConnection() {
    server
        .handler("abort.sql", "-- route: GET /abort\nselect true as abort")
        .handler("ok.sql", "-- route: GET /ok\nselect 'ok' as body")
        .start();

    assertThatThrownBy(() -> server.get("/abort")).isInstanceOf(UncheckedIOException.class);
    assertThat(server.get("/ok").body()).isEqualTo("ok");
  }

  @Test
  void liveHandler_sendsItsBodyAfterEachChange() throws Exception {
    server
        .handler(
            "count.sql", "-- route: GET /count\n-- live: true\nselect count(*) as body from notes")
        .start();
    assertThat(server.get("/count").body()).isEqualTo("0");

    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create(server.server().uri() + "/count"))
              .header("Accept", "text/event-stream")
              .build();
      var response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (var lines =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
        assertThat(nextData(lines)).isEqualTo("0");
        server.db().script("insert into notes values (1, 'a')");
        assertThat(nextData(lines)).isEqualTo("1");
        server.db().script("insert into notes values (2, 'b')");
        assertThat(nextData(lines)).isEqualTo("2");
      }
    }
  }

  private static String nextData(BufferedReader lines) throws IOException {
    while (true) {
      var line = lines.readLine();
      if (line == null) {
        throw new AssertionError("the stream has ended");
      }
      if (line.startsWith("data: ")) {
        return line.substring("data: ".length());
      }
    }
  }

  @Test
  void http2_multiplexesHandlers() throws Exception {
    server
        .handler("ok.sql", "-- route: GET /ok/:n\nselect 'ok ' || n as body from request")
        .start();

    try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
      var all =
          java.util.stream.IntStream.range(0, 100)
              .mapToObj(n ->
                  client.sendAsync(
                      HttpRequest.newBuilder(URI.create(server.server().uri() + "/ok/" + n))
                          .build(),
                      HttpResponse.BodyHandlers.ofString()))
              .toList();
      for (int n = 0; n < 100; n++) {
        assertThat(all.get(n).get().body()).isEqualTo("ok " + n);
        assertThat(all.get(n).get().version()).isEqualTo(HttpClient.Version.HTTP_2);
      }
    }
  }

  @Test
  void javaFunctionOfH2_isAvailable() {
    server.db().script("create alias slug for '" + H2Functions.class.getName() + ".slug'");
    server
        .handler("slug.sql", "-- route: GET /slug/:words\nselect slug(words) as body from request")
        .start();

    assertThat(server.get("/slug/A%20Long%20Day!").body()).isEqualTo("a-long-day-");
  }

  @Test
  void https_servesHandlers() throws Exception {
    server.handler("ok.sql", "-- route: GET /ok\nselect 'ok' as body").startWithTls();
    var trust = SSLContext.getInstance("TLS");
    trust.init(null, new TrustManager[] {new TrustingManager()}, null);
    try (var client = HttpClient.newBuilder().sslContext(trust).build()) {
      var uri = URI.create("https://localhost:" + server.server().port() + "/ok");
      var response =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(response.body()).isEqualTo("ok");
      assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    }
  }

  /** Trusts the certificate that the server has signed itself. */
  private static final class TrustingManager extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @Test
  void faultyHandlers_areRefusedAtStart_withFileLineAndRemedy() {
    assertRefused("-- route: users", "a.sql, line 1: 'users' is no route");
    assertRefused("-- route: GET /a/:B\nselect 1", "a.sql, line 1: ':B' is no path group");
    assertRefused("\n-- timeout: 2\nselect 1", "a.sql, line 2: timeout is '2'; expected");
    assertRefused("-- role: admin\nselect 1", "role is not supported yet");
    assertRefused("-- foo: bar\nselect 1", "'foo' is no declaration; expected route");
    assertRefused("-- query: page number\nselect 1", "'number' is no type of an input");
    assertRefused("-- query: page integer = x\nselect 1", "the default: ");
    assertRefused("-- query: path text\nselect 1", "'path' is a column of request already");
    assertRefused("-- query: a\n-- form: a\nselect 1", "the input 'a' is declared twice");
    assertRefused("-- route: GET /a/:b\n-- path: c\nselect 1", "has no group :c");
    assertRefused("select 1 as body, 2 as body", "the column 'body' occurs twice");
    assertRefused("select 1 as nothing", "the column 'nothing' has no meaning");
    assertRefused("-- read-only: false\ndelete from notes", "the last statement returns no row");
    assertRefused("-- x\nselect nothing\nfrom notes", "a.sql, line 2: ");
    assertRefused("drop table notes", "a.sql, line 1: DROP is not allowed");
    assertRefused("-- route: GET /system/x\nselect 1 as body", "is a path of another API");
  }

  private void assertRefused(String text, String message) {
    server.handler("a.sql", text);
    assertThatThrownBy(server::start)
        .isInstanceOf(EvitaException.class)
        .hasMessageContaining(message);
  }
}
