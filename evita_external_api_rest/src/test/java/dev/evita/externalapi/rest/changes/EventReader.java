// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.changes;

import dev.evita.externalapi.rest.RestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client of server-sent events that shows each of them. */
final class EventReader implements AutoCloseable {

  /**
   * An event.
   *
   * @param id empty for none
   */
  record Event(String name, String id, String data) {

    /** The data of a change event. */
    String key() {
      var end = data.indexOf(",\"row\":");
      return data.substring("{\"key\":".length(), end < 0 ? data.length() - 1 : end);
    }

    String row() {
      return data.substring(data.indexOf(",\"row\":") + ",\"row\":".length(), data.length() - 1);
    }
  }

  private static final Event END = new Event("end", "", "");
  private static final long PATIENCE_SECONDS = 30;

  private final HttpClient http;
  private final HttpResponse<InputStream> answer;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  private EventReader(
      HttpClient.Version version, RestServer server, String target, String... headers) {
    http = HttpClient.newBuilder().version(version).build();
    var request =
        HttpRequest.newBuilder(server.escapedUri(target)).header("Accept", "text/event-stream");
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      answer = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      if (answer.statusCode() != 200) {
        var body = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
        throw new AssertionError(answer.statusCode() + " " + body);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Connects, and fails unless the status is 200.
   *
   * @param headers names and values
   */
  static EventReader open(
      HttpClient.Version version, RestServer server, String target, String... headers) {
    var reader = new EventReader(version, server, target, headers);
    reader.resume();
    return reader;
  }

  static EventReader open(RestServer server, String target, String... headers) {
    return open(HttpClient.Version.HTTP_1_1, server, target, headers);
  }

  /** A reader that reads nothing before {@code next} is called. */
  static EventReader stalled(HttpClient.Version version, RestServer server, String target) {
    return new EventReader(version, server, target);
  }

  void resume() {
    var unused = Thread.ofPlatform().daemon().start(this::read);
  }

  private void read() {
    try (var lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      var name = "";
      var id = "";
      var data = new StringBuilder();
      var raw = new StringBuilder();
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        raw.append(line).append('\n');
        if (line.startsWith("event: ")) {
          name = line.substring("event: ".length());
        } else if (line.startsWith("id: ")) {
          id = line.substring("id: ".length());
        } else if (line.startsWith("data: ")) {
          data.append(line.substring("data: ".length()));
        } else if (line.isEmpty() && !name.isEmpty()) {
          var whole = !data.isEmpty();
          events.add(
              whole
                  ? new Event(name, id, data.toString())
                  : new Event("broken", id, answer.version() + "\n" + raw));
          raw.setLength(0);
          name = "";
          id = "";
          data.setLength(0);
        }
      }
    } catch (IOException e) {
      // closed, by either side
    }
    events.add(END);
  }

  HttpResponse<?> answer() {
    return answer;
  }

  /** The next event. */
  Event next() {
    var event = poll(PATIENCE_SECONDS * 1_000);
    if (event == null) {
      throw new AssertionError("no event came");
    }
    return event;
  }

  /** The next event within a while; null for none. */
  @Nullable Event poll(long millis) {
    try {
      return events.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The next event in short, without its id. */
  String told() {
    var event = next();
    return event.name() + " " + event.data();
  }

  static boolean isEnd(Event event) {
    return event.equals(END);
  }

  @Override
  public void close() {
    try {
      answer.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      http.shutdownNow();
    }
  }
}
