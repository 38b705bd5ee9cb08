// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import dev.evita.externalapi.core.EmptyEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.OpenApi;
import dev.evita.externalapi.core.RawClient;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.TestApi;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed responses for clients that accept them, over HTTP/1.1 and HTTP/2. */
final class CompressionIT {

  private static final String LONG = "a text that repeats itself, ".repeat(200);

  private static ExternalApiServer server;
  private static HttpClient client;

  @BeforeAll
  static void start() {
    server =
        server(
            CompressionOptions.builder()
                .compression(List.of("zstd", "gzip"))
                .compressionMinBytes(1_024)
                .build());
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static ExternalApiServer server(CompressionOptions compression) {
    return ExternalApiServer.over(new EmptyEngine())
        .options(ServerOptions.builder().compression(compression).build())
        .provider(new TestApi())
        .provider(new OpenApi())
        .provider(new ResponseKindsApi())
        .withoutDiscovery()
        .start();
  }

  /** Responses of different kinds. */
  private static final class ResponseKindsApi implements ApiProvider, Api {
    @Override
    public String name() {
      return "forms";
    }

    @Override
    public Api api(ApiContext context) {
      return this;
    }

    @Override
    public List<Route> routes() {
      return List.of(
          Route.exact("/tagged", "GET"), Route.exact("/part", "GET"), Route.exact("/image", "GET"));
    }

    @Override
    public void handle(Exchange exchange) {
      var bytes = LONG.getBytes(StandardCharsets.UTF_8);
      switch (exchange.request().path()) {
        case "/part" -> exchange.response().send(206, "application/json", bytes);
        case "/image" -> exchange.response().send(200, "image/png", bytes);
        default -> {
          exchange.response().header("ETag", "\"abc\"");
          var known = exchange.request().header("If-None-Match");
          var unchanged = known != null && known.contains("\"abc\"");
          exchange
              .response()
              .send(
                  unchanged ? 304 : 200,
                  "application/problem+json",
                  unchanged ? new byte[0] : bytes);
        }
      }
    }
  }

  private static HttpResponse<byte[]> ask(
      HttpClient.Version version, String method, String target, String... headers)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(server.uri() + target))
            .version(version)
            .method(method, HttpRequest.BodyPublishers.ofString(method.equals("POST") ? LONG : ""));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static HttpResponse<byte[]> get(String target, String... headers)
      throws IOException, InterruptedException {
    return ask(HttpClient.Version.HTTP_1_1, "GET", target, headers);
  }

  private static String text(HttpResponse<byte[]> answer) throws IOException {
    var coding = answer.headers().firstValue("content-encoding").orElse("identity");
    var body = new ByteArrayInputStream(answer.body());
    try (var decoded =
        switch (coding) {
          case "gzip" -> new GZIPInputStream(body);
          case "zstd" -> new ZstdInputStream(body);
          default -> body;
        }) {
      return new String(decoded.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void response_long_isCompressed(HttpClient.Version version)
      throws IOException, InterruptedException {
    for (var coding : List.of("gzip", "zstd")) {
      var answer = ask(version, "POST", "/echo", "Accept-Encoding", coding);
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.headers().firstValue("content-encoding")).hasValue(coding);
      assertThat(answer.headers().firstValueAsLong("content-length"))
          .hasValue(answer.body().length);
      assertThat(answer.headers().allValues("vary")).contains("Accept-Encoding");
      assertThat(answer.body().length).isLessThan(LONG.length() / 10);
      assertThat(text(answer)).isEqualTo(LONG);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void response_streamed_isCompressedPieceByPiece(HttpClient.Version version)
      throws IOException, InterruptedException {
    var plain = ask(version, "GET", "/rows?n=20000");
    for (var coding : List.of("gzip", "zstd")) {
      var answer = ask(version, "GET", "/rows?n=20000", "Accept-Encoding", coding);
      assertThat(answer.headers().firstValue("content-encoding")).hasValue(coding);
      assertThat(answer.body().length).isLessThan(plain.body().length / 10);
      assertThat(text(answer)).isEqualTo(text(plain));
    }
  }

  /** An Accept-Encoding header and the resulting coding. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gzip | gzip
          GZIP;q=0.5 | gzip
          gzip, zstd | zstd
          gzip;q=1, zstd;q=0.9 | gzip
          zstd;q=0, gzip | gzip
          br, gzip;q=0.1 | gzip
          * | zstd
          zstd;q=0, * | gzip
          identity | -
          gzip;q=0 | -
          gzip;q=0.5, identity | -
          gzip, identity;q=0.5 | gzip
          br | -
          gzip;q=high | -
          , | -
          """)
  void coding_severalAccepted_isThePreferredOne(String accepted, String expected)
      throws IOException, InterruptedException {
    var answer = get("/tagged", "Accept-Encoding", accepted);
    assertThat(answer.headers().firstValue("content-encoding").orElse("-")).isEqualTo(expected);
    assertThat(answer.headers().allValues("vary")).contains("Accept-Encoding");
    assertThat(text(answer)).isEqualTo(LONG);
  }

  @Test
  void response_shortPartialOrImage_isNotCompressed() throws IOException, InterruptedException {
    for (var target : List.of("/below/x", "/part", "/image", "/nowhere")) {
      var answer = get(target, "Accept-Encoding", "gzip");
      assertThat(answer.headers().firstValue("content-encoding")).as(target).isEmpty();
    }
    assertThat(get("/tagged").headers().firstValue("content-encoding")).isEmpty();
  }

  @Test
  void tag_compressedResponse_isWeakAndStillMatches() throws IOException, InterruptedException {
    var plain = get("/tagged");
    assertThat(plain.headers().firstValue("etag")).hasValue("\"abc\"");
    var answer = get("/tagged", "Accept-Encoding", "gzip");
    assertThat(answer.headers().firstValue("etag")).hasValue("W/\"abc\"");
    var again = get("/tagged", "Accept-Encoding", "gzip", "If-None-Match", "W/\"abc\"");
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.headers().firstValue("etag")).hasValue("W/\"abc\"");
    assertThat(again.headers().firstValue("content-encoding")).isEmpty();
    assertThat(again.body()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void head_returnsHeadersOfGet(HttpClient.Version version)
      throws IOException, InterruptedException {
    var get = ask(version, "GET", "/tagged", "Accept-Encoding", "gzip");
    var head = ask(version, "HEAD", "/tagged", "Accept-Encoding", "gzip");
    assertThat(head.body()).isEmpty();
    for (var name : List.of("content-length", "content-encoding", "etag", "vary")) {
      assertThat(head.headers().allValues(name)).isEqualTo(get.headers().allValues(name));
    }
  }

  /** Far more than the sockets buffer: so it waits for the client, or ends with it. */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  @Timeout(60)
  void clients_disconnectingWithoutReading_leaveNoEncoder(String coding) {
    var api = new TestApi();
    var options =
        CompressionOptions.builder().compression(List.of(coding)).compressionMinBytes(0).build();
    try (var server =
        ExternalApiServer.over(new EmptyEngine())
            .options(ServerOptions.builder().compression(options).build())
            .provider(api)
            .withoutDiscovery()
            .start()) {
      var compression = requireNonNull(server.compression());
      var clients = new ArrayList<RawClient>();
      for (int i = 0; i < 3; i++) {
        var client = RawClient.connect(server.port(), 1 << 10);
        client.send(
            "GET /rows?n=2000000000 HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: "
                + coding
                + "\r\n\r\n");
        assertThat(client.readHead()).contains("Content-Encoding: " + coding);
        clients.add(client);
      }
      assertThat(compression.open()).isEqualTo(3);
      clients.forEach(RawClient::close);
      while (compression.open() > 0 || api.cancelled.size() < 3) {
        Thread.onSpinWait();
      }
    }
  }

  /** Responses in one piece, and aborted ones, free their memory as well. */
  @Test
  @Timeout(60)
  void responses_completed_leaveNoEncoder() throws IOException, InterruptedException {
    for (var target : List.of("/tagged", "/rows?n=20000", "/rows?n=0")) {
      assertThat(get(target, "Accept-Encoding", "gzip").statusCode()).isEqualTo(200);
    }
    assertThatThrownBy(() -> get("/broken", "Accept-Encoding", "gzip"))
        .isInstanceOf(IOException.class);
    var compression = requireNonNull(server.compression());
    while (compression.open() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void events_areNotCompressed() {
    try (var raw = RawClient.connect(server.port())) {
      var head =
          raw.send("GET /events HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
              .readHead();
      assertThat(head).contains("text/event-stream").doesNotContain("Content-Encoding");
    }
  }

  @Test
  void compression_notConfigured_isNotApplied() throws IOException, InterruptedException {
    try (var off = server(CompressionOptions.NONE)) {
      var request =
          HttpRequest.newBuilder(URI.create(off.uri() + "/tagged"))
              .header("Accept-Encoding", "gzip")
              .build();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.headers().firstValue("content-encoding")).isEmpty();
      assertThat(answer.headers().firstValue("vary")).isEmpty();
      assertThat(answer.headers().firstValue("etag")).hasValue("\"abc\"");
      assertThat(answer.body()).isEqualTo(LONG);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.1", "--http2-prior-knowledge"})
  void curl_decodesResponses(String version) throws IOException, InterruptedException {
    var rows = server.uri() + "/rows?n=5000";
    var plain = curl(version, rows);
    assertThat(plain).hasSizeGreaterThan(400_000);
    assertThat(curl(version, "--compressed", rows)).isEqualTo(plain);
    assertThat(curl(version, "-H", "Accept-Encoding: gzip", rows).length())
        .isLessThan(plain.length() / 10);
  }

  private static String curl(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("curl", "-sS"));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  @ParameterizedTest
  @EnumSource(ContentCoding.class)
  void piece_isSentImmediately(ContentCoding coding) throws IOException {
    var encoder = new BodyEncoder(coding, () -> {});
    var first = LONG.getBytes(StandardCharsets.UTF_8);
    var left = encoder.encode(first, first.length, false);
    var piece = new byte[left.remaining()];
    left.get(piece);
    var body = new ByteArrayInputStream(piece);
    try (var decoded =
        coding == ContentCoding.GZIP ? new GZIPInputStream(body) : new ZstdInputStream(body)) {
      assertThat(new String(decoded.readNBytes(first.length), StandardCharsets.UTF_8))
          .isEqualTo(LONG);
    }
    encoder.close();
    assertThat(encoder.encode(first, first.length, true).remaining()).isZero();
  }

  @Test
  void coding_unknown_isRejectedByName() {
    assertThatThrownBy(() ->
            CompressionOptions.builder()
                .compression(List.of("gzip", "br"))
                .compressionMinBytes(0)
                .build())
        .hasMessageContaining("compression contains 'br'");
  }
}
