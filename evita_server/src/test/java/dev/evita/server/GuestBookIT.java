// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The guest book of docs/sql-handlers.md, step by step, in Chromium. */
@Tag("tools")
final class GuestBookIT {

  private static final Path PAGE = Path.of("..", "docs", "sql-handlers.md");
  private static final Pattern FILE =
      Pattern.compile("`([a-z]+[/a-z.]*)`:\\n\\n```[a-z]*\\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path directory;
  private EvitaProcess evita;
  private String uri;
  private ChromeDriver browser;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void open() throws IOException {
    for (var name : new String[] {"handlers", "templates", "web"}) {
      Files.createDirectories(directory.resolve(name));
    }
    step(1);
    evita =
        EvitaProcess.start(
                "serve",
                "--db",
                "jdbc:h2:" + directory.resolve("guestbook"),
                "--init",
                directory.resolve("init.sql").toString(),
                "--handlers",
                directory.resolve("handlers").toString(),
                "--templates",
                directory.resolve("templates").toString(),
                "--static-files",
                directory.resolve("web").toString(),
                "--port",
                "0")
            .awaitServing();
    uri = evita.uri();
    var options = new ChromeOptions();
    options.setBinary("/usr/bin/chromium");
    options.addArguments(
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage");
    browser =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(Path.of("/usr/bin/chromedriver").toFile())
                .build(),
            options);
    browser.manage().timeouts().implicitlyWait(Duration.ofSeconds(10));
  }

  @AfterEach
  void close() {
    browser.quit();
    evita.close();
    client.close();
  }

  /** Writes the files of a step. */
  private void step(int number) throws IOException {
    var text = Files.readString(PAGE);
    var begin = text.indexOf("### " + number + ". ");
    var end = text.indexOf("\n##", begin + 4);
    assertThat(begin).as("step %d", number).isPositive();
    var files = FILE.matcher(text.substring(begin, end));
    while (files.find()) {
      var part = directory.resolve("part");
      Files.writeString(part, files.group(2));
      Files.move(
          part,
          directory.resolve(files.group(1)),
          java.nio.file.StandardCopyOption.REPLACE_EXISTING,
          java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private HttpResponse<String> get(String path) {
    try {
      return client.send(
          HttpRequest.newBuilder(URI.create(uri + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitBody(String path, String part) {
    await().untilAsserted(() -> assertThat(get(path).body()).contains(part));
  }

  @Test
  void guestBook_stepByStep_works() throws IOException {
    step(3);
    awaitBody("/", "The guest book has 0 entries.");
    step(4);
    step(5);
    awaitBody("/entries", "[]");
    assertThat(get("/entries/99").statusCode()).isEqualTo(404);
    assertThat(get("/entries/x").statusCode()).isEqualTo(404);
    assertThat(get("/entries?limit_to=x").statusCode()).isEqualTo(400);
    step(6);
    awaitBody("/book", "<h1>Guest book</h1>");
    step(7);
    awaitBody("/book", "<form");
    sign("Ann", "<script>document.title = 'broken'</script>");
    assertThat(browser.getTitle()).isEqualTo("Guest book");
    assertThat(browser.findElement(By.cssSelector("li")).getText())
        .isEqualTo("Ann: <script>document.title = 'broken'</script>");
    awaitBody("/entries/1", "Ann wrote: ");
    assertThat(get("/entries?limit_to=1").body()).contains("\"author\"");

    step(8);
    awaitBody("/book", "value=\"Guest\"");
    sign("Bob", "Grüße");
    assertThat(browser.findElement(By.name("author")).getAttribute("value")).isEqualTo("Bob");
    assertThat(browser.findElement(By.cssSelector("li")).getText()).isEqualTo("Bob: Grüße");
    step(9);
    await()
        .untilAsserted(() ->
            assertThat(get("/book").headers().firstValue("content-security-policy"))
                .contains("default-src 'self'"));
    browser.get(uri + "/book");
    assertThat(browser.findElement(By.cssSelector("h1")).getCssValue("color"))
        .contains("0, 100, 0");
    step(10);
    awaitBody("/book", "live.js");
    awaitBody("/live", "2");
    browser.get(uri + "/book");
    awaitCount("2");
    assertThat(post("author=Carl&words=Hello", "http://evil.example")).isEqualTo(403);
    assertThat(post("author=Carl&words=", uri)).isEqualTo(400);
    assertThat(post("author=Carl&words=Hello", uri)).isEqualTo(303);
    awaitCount("3");
  }

  private void sign(String author, String words) {
    browser.get(uri + "/book");
    var name = browser.findElement(By.name("author"));
    name.clear();
    name.sendKeys(author);
    browser.findElement(By.name("words")).sendKeys(words);
    browser.findElement(By.cssSelector("button")).click();
    await()
        .untilAsserted(() ->
            assertThat(browser.findElement(By.cssSelector("ul")).getText()).contains(author + ":"));
  }

  private void awaitCount(String count) {
    await()
        .untilAsserted(
            () -> assertThat(browser.findElement(By.id("count")).getText()).isEqualTo(count));
  }

  private int post(String form, String origin) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(uri + "/book"))
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .header("Origin", origin)
                  .POST(HttpRequest.BodyPublishers.ofString(form))
                  .build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
