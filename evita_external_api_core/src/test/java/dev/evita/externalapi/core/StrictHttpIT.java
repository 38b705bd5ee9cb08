// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.evita.http.HttpFault;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that no server behind a proxy may accept as a request, and some that it must. */
final class StrictHttpIT {

  private static final String HOST = "Host: localhost\r\n";
  private static final String CHUNKED_WITH_LENGTH =
      HOST + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String CHUNKED = HOST + "Transfer-Encoding: chunked\r\n\r\n";

  private static TestServer fixture;

  @BeforeAll
  static void start() {
    var limits = TestServer.limits(Duration.ofSeconds(60), Duration.ofSeconds(60));
    fixture = TestServer.start(options -> options.limits(limits));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        // the request line
        arguments(505, "GET /echo HTTP/1.2\r\n" + HOST + "\r\n"),
        arguments(505, "GET /echo HTTP/3.0\r\n" + HOST + "\r\n"),
        arguments(505, "GET /echo HTTP/0.9\r\n" + HOST + "\r\n"),
        arguments(400, "GET /echo HTTP/2.0\r\n" + HOST + "\r\n"),
        arguments(400, "GET /echo HTTP/11.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET /echo http/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET /echo JUNK/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET /echo\r\n\r\n"),
        arguments(400, "GET  /echo HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET /echo  HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET /echo HTTP/1.1 \r\n" + HOST + "\r\n"),
        arguments(400, "G(T /echo HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GE\tT /echo HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET /ec\u0001ho HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET /ec\u0000ho HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET /ec\u00e4ho HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET /ec%zzho HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "GET echo HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(501, "CONNECT localhost:80 HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(501, "TRACE /echo HTTP/1.1\r\n" + HOST + "\r\n"),
        // the end of lines
        arguments(400, "GET /echo HTTP/1.1\n" + HOST + "\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nHost: localhost\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nHost: local\rhost\r\n\r\n"),
        arguments(400, "\r\rGET /echo HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "\rGET /echo HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "\r\n\rGET /echo HTTP/1.1\r\n" + HOST + "\r\n"),
        arguments(400, "\nGET /echo HTTP/1.1\r\n" + HOST + "\r\n"),
        // fields
        arguments(400, "GET /echo HTTP/1.1\r\n" + HOST + "X : 1\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\n" + HOST + " X: 1\r\n" + "X y: 1\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\n" + HOST + ": 1\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\n" + HOST + "X\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\n" + HOST + "X: a\u0000b\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\n" + HOST + "X: a\u001fb\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\n" + HOST + "X\u00e4: 1\r\n\r\n"),
        arguments(431, "GET /echo HTTP/1.1\r\n" + HOST + "a:b\r\n".repeat(201) + "\r\n"),
        arguments(431, "GET /echo HTTP/1.1\r\n" + HOST + "a:b\r\n".repeat(100_000)),
        // folded lines
        arguments(400, post("X: a\r\n b\r\nContent-Length: 3\r\n\r\nabc")),
        arguments(400, post("X:\r\n\tb\r\nContent-Length: 3\r\n\r\nabc")),
        arguments(400, post("X-Long: 0123456789abcdef\r\n b\r\nContent-Length: 3\r\n\r\nabc")),
        arguments(400, post("Content-Length:\r\n 3\r\n\r\nabc")),
        arguments(400, post("Transfer-Encoding:\r\n chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")),
        arguments(400, "GET /echo HTTP/1.1\r\n X: 1\r\n" + HOST + "\r\n"),
        // the host
        arguments(400, "GET /echo HTTP/1.1\r\n\r\n"),
        arguments(400, "POST /echo HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"),
        arguments(400, "GET /echo HTTP/1.1\r\n" + HOST + HOST + "\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nHost: a b\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nHost: a@b\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nHost: localhost:99999\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nHost: localhost:x\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nHost: [::1\r\n\r\n"),
        arguments(400, "GET http://localhost/echo HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
        arguments(400, "POST /echo HTTP/1.1\r\nContent-Length: 5\r\n\r\n"),
        arguments(400, "GET /echo HTTP/1.1\r\nContent-Length: 5\r\n\r\n"),
        arguments(400, "POST /echo HTTP/1.1\r\n" + HOST + HOST + "Content-Length: 5\r\n\r\na"),
        arguments(400, "POST /echo HTTP/1.1\r\nHost: a@b\r\nContent-Length: 5\r\n\r\n"),
        arguments(400, "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        // the length
        arguments(400, post("Content-Length: -1\r\n\r\n")),
        arguments(400, post("Content-Length: +1\r\n\r\na")),
        arguments(400, post("Content-Length: 0x1\r\n\r\na")),
        arguments(400, post("Content-Length: 1 1\r\n\r\na")),
        arguments(400, post("Content-Length: 1,1\r\n\r\na")),
        arguments(400, post("Content-Length: \r\n\r\na")),
        arguments(400, post("Content-Length: 99999999999999999999\r\n\r\na")),
        arguments(400, post("Content-Length: 99999999999999999999999\r\n\r\na")),
        arguments(400, post("Content-Length: 1\r\nContent-Length: 2\r\n\r\nab")),
        arguments(400, post("Content-Length: 1\r\nContent-Length: 1\r\n\r\na")),
        arguments(400, post("Content-Length: 9223372036854775807\r\n\r\na")),
        arguments(413, post("Content-Length: 999999999999\r\n\r\na")),
        // transfer codings
        arguments(400, post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
        arguments(400, post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n")),
        arguments(
            400,
            post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n")),
        arguments(400, post("Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n")),
        arguments(400, post("Transfer-Encoding: chunked , gzip\r\n\r\n0\r\n\r\n")),
        arguments(400, post("Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n")),
        arguments(400, post("Transfer-Encoding: ,chunked\r\n\r\n0\r\n\r\n")),
        arguments(501, post("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")),
        arguments(501, post("Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n")),
        arguments(501, post("Transfer-Encoding: identity\r\n\r\nabc")),
        arguments(501, post("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n")),
        arguments(501, post("Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n")),
        arguments(501, post("Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n")),
        arguments(501, post("Transfer-Encoding: chu\tnked\r\n\r\n0\r\n\r\n")),
        arguments(400, post("Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n")),
        arguments(400, post("Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n")),
        arguments(501, post("Transfer-Encoding: \r\n\r\n0\r\n\r\n")),
        arguments(400, "POST /echo HTTP/1.0\r\n" + CHUNKED + "3\r\nabc\r\n0\r\n\r\n"),
        // chunks
        arguments(400, chunks("x\r\n")),
        arguments(400, chunks("\r\n")),
        arguments(400, chunks("-1\r\n")),
        arguments(400, chunks("0x3\r\nabc\r\n0\r\n\r\n")),
        arguments(400, chunks(" 3\r\nabc\r\n0\r\n\r\n")),
        arguments(400, chunks("3 \r\nabc\r\n0\r\n\r\n")),
        arguments(400, chunks("3\nabc\r\n0\r\n\r\n")),
        arguments(400, chunks("3\rabc\r\n0\r\n\r\n")),
        arguments(400, chunks("3\r\nabcd\r\n0\r\n\r\n")),
        arguments(400, chunks("3\r\nabc0\r\n\r\n")),
        arguments(400, chunks("3\r\nabc\n0\r\n\r\n")),
        arguments(400, chunks("3\r\nabc\rX0\r\n\r\n")),
        arguments(400, chunks("3\r\nabc\r\n0\r\nX\r\n\r\n")),
        arguments(400, chunks("3\r\nabc\r\n0\r\nX y: 1\r\n\r\n")),
        arguments(400, chunks("3\r\nabc\r\n0\r\nX: \u0000\r\n\r\n")),
        arguments(400, chunks("3\r\nabc\r\n0\r\n\n")),
        arguments(400, chunks("3;a\nb\r\nabc\r\n0\r\n\r\n")),
        arguments(400, chunks("3;" + "a".repeat(9_000) + "\r\nabc\r\n0\r\n\r\n")),
        arguments(400, chunks("0000000003\r\nabc\r\n0\r\n\r\n")),
        arguments(400, chunks("fffffffffffffffff\r\nabc")),
        // expectations
        arguments(417, post("Expect: 200-ok\r\nContent-Length: 3\r\n\r\n")),
        // another protocol altogether
        arguments(400, "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"),
        arguments(400, "SSH-2.0-OpenSSH_9.9\r\n"),
        arguments(400, "{\"query\":\"{ products { id } }\"}\r\n\r\n"));
  }

  private static String post(String fieldsAndBody) {
    return "POST /echo HTTP/1.1\r\n" + HOST + fieldsAndBody;
  }

  private static String chunks(String body) {
    return "POST /echo HTTP/1.1\r\n" + CHUNKED + body;
  }

  @ParameterizedTest
  @MethodSource("refused")
  void invalidRequest_inOnePiece_isRejectedAndClosed(int status, String request) {
    try (var client = fixture.connect().send(request)) {
      assertRefused(status, client.readToEnd());
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void invalidRequest_byteByByte_isRejectedAndClosed(int status, String request) {
    try (var client = fixture.connect()) {
      try {
        for (int i = 0; i < Math.min(request.length(), 400); i++) {
          client.send(request.substring(i, i + 1));
        }
        client.send(request.substring(Math.min(request.length(), 400)));
      } catch (java.io.UncheckedIOException e) {
        // it was rejected and closed before the last byte
      }
      assertRefused(status, client.readToEnd());
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void invalidRequest_afterValidOnes_isRejectedAndClosed(int status, String request) {
    var good = post("Content-Length: 3\r\n\r\nabc") + chunks("3\r\nabc\r\n0\r\n\r\n");
    try (var client = fixture.connect().send(good + good + request)) {
      for (int i = 0; i < 4; i++) {
        var answer = client.read();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("abc");
      }
      assertRefused(status, client.readToEnd());
    }
  }

  private static void assertRefused(int status, String answer) {
    assertThat(answer)
        .matches("(?s)HTTP/1\\.[01] " + status + " " + HttpFault.reason(status) + "\r\n.*")
        .contains("Connection: close\r\n")
        .contains("\r\nDate: ")
        .contains("\r\nContent-Type: application/problem+json\r\n")
        .contains("\"status\":" + status + ",\"code\":\"")
        .as("a second response")
        .doesNotMatch("(?s).+HTTP/1\\.[01] \\d.*");
  }

  /** The response before it, and the refusal, are read before the connection is closed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GARBAGE\r\n\r\n",
        "POST /echo HTTP/1.1\r\n" + HOST + "X y: 1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: a@b\r\n\r\n",
        "POST /echo HTTP/1.1\r\n" + CHUNKED_WITH_LENGTH
      })
  void invalidRequest_betweenAValidOneAndMuchMore_isRejected(String request) {
    var good = post("Content-Length: 3\r\n\r\nabc");
    try (var client = fixture.connect().send(good + request + "x".repeat(200_000))) {
      var answer = client.readToEnd();
      assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").contains("\r\n\r\nabc");
      assertRefused(400, answer.substring(answer.indexOf("HTTP/1.1 400 ")));
    }
  }

  static Stream<String> truncated() {
    return Stream.of(
        post("Content-Length: 5\r\n\r\n"),
        post("Content-Length: 5\r\n\r\nabc"),
        chunks(""),
        chunks("3\r\nab"),
        chunks("3\r\nabc"),
        chunks("3\r\nabc\r\n"),
        chunks("3\r\nabc\r\n0\r\n"),
        chunks("3\r\nabc\r\n0\r\nX: 1\r\n"));
  }

  @ParameterizedTest
  @MethodSource("truncated")
  void body_truncatedByTheClient_isRejectedAndClosed(String request) {
    try (var client = fixture.connect().send(request).finish()) {
      assertRefused(400, client.readToEnd());
    }
  }

  static Stream<String> accepted() {
    return Stream.of(
        post("Content-Length: 3\r\n\r\nabc"),
        post("Content-Length: 0003\r\n\r\nabc"),
        post("Content-Length:3  \r\n\r\nabc"),
        post("X: \ta\t b \r\nContent-Length: 3\r\n\r\nabc"),
        "\r\n" + post("Content-Length: 3\r\n\r\nabc"),
        "\r\n\r\n" + post("Content-Length: 3\r\n\r\nabc"),
        chunks("3\r\nabc\r\n0\r\n\r\n"),
        chunks("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"),
        chunks("00000003\r\nabc\r\n000\r\n\r\n"),
        chunks("3;name=\"va lue\";x\r\nabc\r\n0;last\r\n\r\n"),
        chunks("3\r\nabc\r\n0\r\nX: 1\r\nY: \t2\r\n\r\n"),
        post("Transfer-Encoding: Chunked \r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        "POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc",
        "POST http://localhost/echo HTTP/1.1\r\n" + HOST + "Content-Length: 3\r\n\r\nabc");
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void validRequest_inOnePiece_keepsTheConnection(String request) {
    try (var client = fixture.connect().send(request)) {
      assertEchoed(client);
      client.send(post("Content-Length: 3\r\n\r\nabc"));
      assertEchoed(client);
    }
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void validRequest_byteByByte_keepsTheConnection(String request) {
    try (var client = fixture.connect()) {
      for (int i = 0; i < request.length(); i++) {
        client.send(request.substring(i, i + 1));
      }
      assertEchoed(client);
      client.send(request);
      assertEchoed(client);
    }
  }

  private static void assertEchoed(RawClient client) {
    var answer = client.read();
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("abc");
  }

  @Test
  void pipelined_requestsOfAllForms_getResponsesInOrder() {
    var requests = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      var body = "body-" + i;
      requests.append(
          switch (i % 3) {
            case 0 -> post("Content-Length: " + body.length() + "\r\n\r\n" + body);
            case 1 -> chunks(Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
            default ->
                post("Content-Length: " + body.length() + "\r\n\r\n" + body)
                    .replace("/echo", "/work");
          });
    }
    try (var client = fixture.connect().send(requests.toString())) {
      for (int i = 0; i < 300; i++) {
        assertThat(client.read().body()).isEqualTo("body-" + i);
      }
    }
  }

  @Test
  void smuggledRequest_inChunkedBody_isNotHandled() {
    // A proxy that uses Content-Length would forward this as one body.
    var request =
        post("Content-Length: 44\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            + "GET /below/secret HTTP/1.1\r\n"
            + HOST
            + "\r\n";
    try (var client = fixture.connect().send(request)) {
      var all = client.readToEnd();
      assertRefused(400, all);
      assertThat(all).doesNotContain("secret");
    }
  }

  @Test
  void expectContinue_getsContinueAndResponse() {
    try (var client = fixture.connect()) {
      for (int i = 0; i < 3; i++) {
        client.send(post("Expect: 100-continue\r\nContent-Length: 3\r\n\r\n"));
        assertThat(client.read().head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
        client.send("abc");
        assertEchoed(client);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br, identity", "identity, gzip", "x-y"})
  void contentEncoding_unsupported_isRejectedByName(String coding) {
    var fields = "Content-Encoding: " + coding + "\r\nContent-Length: 3\r\n\r\nabc";
    try (var client = fixture.connect().send(post(fields))) {
      var answer = client.readToEnd();
      assertRefused(415, answer);
      assertThat(answer)
          .contains("Accept-Encoding: identity\r\n")
          .contains("\"code\":\"UNSUPPORTED_MEDIA_TYPE\"")
          .contains("'" + coding + "'");
    }
  }

  @Test
  void contentEncoding_identity_isAccepted() {
    var fields = "Content-Encoding: Identity\r\nContent-Length: 3\r\n\r\nabc";
    try (var client = fixture.connect().send(post(fields))) {
      assertEchoed(client);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP2-Settings: !!!\r\n",
        "HTTP2-Settings: AAMAAABkAAQAAP__A\r\n",
        "HTTP2-Settings: AAMA\r\n",
        "HTTP2-Settings: AAMAAABk\r\nHTTP2-Settings: AAMAAABk\r\n",
        ""
      })
  void upgrade_invalidSettings_isServedByHttp1(String settings) {
    var upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n" + settings;
    try (var client = fixture.connect().send(post(upgrade + "Content-Length: 3\r\n\r\nabc"))) {
      assertEchoed(client);
      client.send("GET /system/liveness HTTP/1.1\r\n" + HOST + upgrade + "\r\n");
      assertThat(client.read().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "AAMAAABk", "AAMAAABkAAQAAP__AAA=", "AAUAAAAA", "AAT_____", "AAIAAAAH"})
  void upgrade_anySettings_causesNoInternalError(String settings) {
    var upgrade =
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: " + settings;
    var request = "GET /system/liveness HTTP/1.1\r\n" + HOST + upgrade + "\r\n\r\n";
    try (var client = fixture.connect().send(request)) {
      assertThat(client.read().status()).isIn(101, 200, 400);
    }
  }

  @Test
  void expectContinue_bodyTooLarge_isRejectedImmediately() {
    try (var client = fixture.connect()) {
      client.send(post("Expect: 100-continue\r\nContent-Length: 70000\r\n\r\n"));
      assertRefused(413, client.readToEnd());
    }
  }

  @Test
  void noise_anyBytes_areRejectedOrClosed() {
    var random = new Random(42);
    for (int i = 0; i < 300; i++) {
      var bytes = new byte[1 + random.nextInt(3_000)];
      random.nextBytes(bytes);
      try (var client = fixture.connect()) {
        try {
          client.send(bytes).finish();
        } catch (java.io.UncheckedIOException e) {
          // closed already
        }
        assertThat(client.readToEnd()).matches("(?s)|HTTP/1.1 400 .*");
      }
    }
  }
}
