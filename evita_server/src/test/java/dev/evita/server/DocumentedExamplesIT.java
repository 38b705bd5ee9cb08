// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.exchange.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands and queries of README and docs, run against the demo in the order of the pages. */
@Tag("long")
final class DocumentedExamplesIT {

  private static final Pattern BLOCK = Pattern.compile("```([^\\n]*)\\n(.*?)```", Pattern.DOTALL);

  /** Beginnings of commands that other tests run, or that only install or build something. */
  private static final List<String> ELSEWHERE =
      List.of(
          "./evita ", // LauncherIT, DemoIT, ServeIT
          "bin/evita ", // .ci/release, as the following
          "evita-0.1.0-SNAPSHOT/bin/evita ",
          "/opt/evita/bin/evita ",
          "install ",
          "systemctl ",
          "mvn ", // .ci/run
          "grpcurl ", // GrpcurlIT
          "npx -y @hey-api/openapi-ts ", // OpenApiClientIT
          "java -X", // ClassArchiveIT
          "tar ",
          "docker ",
          "sudo ",
          "apt-get ",
          "(cd benchmarks/");

  @TempDir private static Path directory;

  private static EvitaProcess demo;
  private static String port;

  /**
   * A fenced block.
   *
   * @param language the text after the fence
   * @param next the block that follows; null at the end of the page
   */
  record Block(Path page, String language, String text, Block next) {
    @Override
    public String toString() {
      return page.getFileName() + ": " + text.lines().findFirst().orElse("");
    }
  }

  @BeforeAll
  static void start() throws IOException {
    demo = EvitaProcess.start("demo", "--data", directory.toString(), "--port", "0");
    port = demo.awaitServing().curl().replaceFirst("(?s).*127\\.0\\.0\\.1:(\\d+).*", "$1");
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  private static List<Path> pages() throws IOException {
    var root = Path.of("..");
    try (var docs = Files.list(root.resolve("docs"))) {
      var pages =
          new ArrayList<>(docs.filter(file -> file.toString().endsWith(".md")).sorted().toList());
      pages.add(root.resolve("README.md"));
      return pages;
    }
  }

  private static List<Block> blocks() throws IOException {
    var all = new ArrayList<Block>();
    for (var page : pages()) {
      Block next = null;
      var ofPage = new ArrayList<Block>();
      var found = BLOCK.matcher(Files.readString(page)).results().toList();
      for (int i = found.size() - 1; i >= 0; i--) {
        next = new Block(page, found.get(i).group(1), found.get(i).group(2), next);
        ofPage.addFirst(next);
      }
      all.addAll(ofPage);
    }
    return all;
  }

  static Stream<Block> commands() throws IOException {
    return blocks().stream().filter(block -> block.language.equals("sh"));
  }

  static Stream<Block> documents() throws IOException {
    return blocks().stream().filter(block -> block.language.startsWith("graphql"));
  }

  /** Lines of a block as commands: a quote or a backslash at the end of a line joins the next. */
  private static List<String> split(String block) {
    var commands = new ArrayList<String>();
    var command = new StringBuilder();
    for (var line : block.lines().toList()) {
      command.append(line).append('\n');
      var quotes = command.chars().filter(c -> c == '\'').count();
      if (quotes % 2 == 0 && !line.endsWith("\\")) {
        if (!command.toString().isBlank()) {
          commands.add(command.toString().strip());
        }
        command.setLength(0);
      }
    }
    return commands;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void command_asShown_succeeds(Block block) throws IOException {
    for (var command : split(block.text)) {
      if (ELSEWHERE.stream().anyMatch(command::startsWith)) {
        continue;
      }
      assertThat(command).as("a command that this test knows how to run").startsWith("curl ");
      var streams = command.contains("text/event-stream");
      var here =
          command
              .replaceFirst("^curl ", "curl -sS --fail-with-body --max-time 5 ")
              .replaceFirst("(localhost|127\\.0\\.0\\.1):5555", "127.0.0.1:" + port);
      // A stream has no end: its beginning is read, and curl's time runs out.
      var printed = Shell.run(streams ? here + " || [ $? = 28 ]" : here);
      if (streams) {
        assertThat(printed).contains("event: reset", "event: ready");
      }
      var shown = block.next;
      if (shown != null && shown.language.equals("json") && !streams) {
        assertThat(json(printed)).as(command).isEqualTo(json(shown.text));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void document_asShown_hasTheResultShown(Block block) throws Exception {
    var variables = "{}";
    var shown = block.next;
    if (shown != null && shown.language.equals("json variables")) {
      variables = shown.text;
      shown = shown.next;
    }
    var subscription = block.language.equals("graphql subscription");
    var body = "{\"query\":" + quoted(block.text) + ",\"variables\":" + variables + "}";
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/graphql"))
            .header("Content-Type", "application/json")
            .header("Accept", subscription ? "text/event-stream" : "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (var client = HttpClient.newHttpClient()) {
      if (subscription) {
        var response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (var events = response.body()) {
          var begin = new String(events.readNBytes(40), StandardCharsets.UTF_8);
          assertThat(begin).contains("event: next");
        }
        client.shutdownNow();
      } else {
        var response = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(shown).as("the result shown").isNotNull();
        assertThat(shown.language).isEqualTo("json");
        assertThat(json(response.body())).as(response.body()).isEqualTo(json(shown.text));
      }
    }
  }

  @Test
  void blocks_ofAllPages_areFound() throws IOException {
    assertThat(commands().count()).isGreaterThan(10);
    assertThat(documents().count()).isGreaterThan(10);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  private static Object json(String text) {
    return JsonTree.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
