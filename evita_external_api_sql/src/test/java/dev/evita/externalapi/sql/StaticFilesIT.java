// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.sql.HandlerServer.Database;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of a directory: types, validators, ranges, variants, and paths that lead out of it. */
@Timeout(60)
final class StaticFilesIT {

  @TempDir private Path directory;
  private HandlerServer server;

  @BeforeEach
  void start() throws IOException {
    server = HandlerServer.over(Database.H2, directory);
    server
        .options(options -> options.staticFiles(server.directory("web")))
        .file("web", "index.html", "<h1>Home</h1>")
        .file("web", "app.js", "let a = 1;")
        .file("web", "docs/index.html", "<h1>Docs</h1>")
        .file("web", "big.bin", "0123456789".repeat(100_000))
        .file("web", ".secret", "hidden")
        .file("other", "secret.txt", "outside")
        .handler("post.sql", "-- route: POST /app.js\n-- route: POST /none\nselect 'sent' as body")
        .handler("taken.sql", "-- route: GET /app.css\nselect 'by handler' as body");
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write("let a = 1;".getBytes(StandardCharsets.UTF_8));
    }
    Files.write(server.directory("web").resolve("app.js.gz"), packed.toByteArray());
    Files.createSymbolicLink(
        server.directory("web").resolve("link.txt"),
        server.directory("other").resolve("secret.txt"));
    server.start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void file_hasTypeAndValidator() {
    var home = server.get("/");
    assertThat(home.body()).isEqualTo("<h1>Home</h1>");
    assertThat(home.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
    var tag = home.headers().firstValue("etag").orElseThrow();
    var again = server.get("/", "If-None-Match", "W/" + tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(server.get("/app.css").body()).isEqualTo("by handler");
    assertThat(server.send("POST", "/index.html", "x").statusCode()).isEqualTo(404);
    assertThat(server.send("HEAD", "/index.html", null).body()).isEmpty();
  }

  @Test
  void directory_isItsIndex() {
    var moved = server.get("/docs");
    assertThat(moved.statusCode()).isEqualTo(308);
    assertThat(moved.headers().firstValue("location")).contains("/docs/");
    assertThat(server.get("/docs/").body()).isEqualTo("<h1>Docs</h1>");
  }

  @Test
  void directory_redirect_keepsTheQuery() {
    assertThat(server.get("/docs?a=%2F1&b").headers().firstValue("location"))
        .contains("/docs/?a=%2F1&b");
  }

  @Test
  void file_onPathOfOtherMethod_isSent() {
    assertThat(server.get("/app.js").body()).isEqualTo("let a = 1;");
    assertThat(server.send("HEAD", "/app.js", null).statusCode()).isEqualTo(200);
    assertThat(server.send("POST", "/app.js", "").body()).isEqualTo("sent");
    for (var method : new String[] {"GET", "DELETE"}) {
      var refused = server.send(method, "/none", null);
      assertThat(refused.statusCode()).isEqualTo(405);
      assertThat(refused.headers().firstValue("allow")).contains("OPTIONS, POST");
    }
    assertThat(server.get("/nothing").statusCode()).isEqualTo(404);
    var options = server.send("OPTIONS", "/none", null);
    assertThat(options.statusCode()).isEqualTo(204);
  }

  @Test
  void range_isAPart() {
    var part = server.get("/big.bin", "Range", "bytes=5-9");
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("56789");
    assertThat(part.headers().firstValue("content-range")).contains("bytes 5-9/1000000");
    assertThat(server.get("/big.bin", "Range", "bytes=-3").body()).isEqualTo("789");
    assertThat(server.get("/big.bin", "Range", "bytes=999998-").body()).isEqualTo("89");
    var beyond = server.get("/big.bin", "Range", "bytes=1000000-");
    assertThat(beyond.statusCode()).isEqualTo(416);
    assertThat(beyond.headers().firstValue("content-range")).contains("bytes */1000000");
    assertThat(server.get("/big.bin", "Range", "bytes=1-2,4-5").statusCode()).isEqualTo(200);
    assertThat(server.get("/big.bin", "Range", "bytes=1-2", "If-Range", "\"old\"").statusCode())
        .isEqualTo(200);
  }

  @Test
  void largeFile_arrivesWhole() {
    var whole = server.get("/big.bin");
    assertThat(whole.body()).isEqualTo("0123456789".repeat(100_000));
    assertThat(whole.headers().firstValue("content-length")).contains("1000000");
  }

  @Test
  void compressedVariant_isSentWhereAccepted() {
    assertThat(server.get("/app.js", "Accept-Encoding", "br, gzip").headers().map())
        .containsEntry("content-encoding", java.util.List.of("gzip"))
        .containsEntry("content-type", java.util.List.of("text/javascript; charset=utf-8"));
    assertThat(server.get("/app.js", "Accept-Encoding", "gzip;q=0").body()).isEqualTo("let a = 1;");
  }

  @Test
  void path_neverLeadsOutOfTheDirectory() throws IOException {
    for (var path :
        new String[] {
          "/../other/secret.txt",
          "/%2e%2e/other/secret.txt",
          "/..%2fother/secret.txt",
          "/docs/../../other/secret.txt",
          "/docs/..%5c..%5cother/secret.txt",
          "/.secret",
          "/link.txt",
          "//other/secret.txt",
          "/index.html/",
          "/index.html%00.js"
        }) {
      var response = raw(path);
      assertThat(response).as(path).doesNotContain("outside").doesNotContain("hidden");
      assertThat(response).as(path).matches("(?s)HTTP/1.1 (400|404).*");
    }
  }

  /** Sends the path as it is, which the client would normalize. */
  private String raw(String path) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
      var head = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
