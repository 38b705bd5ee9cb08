// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Engine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.InProcessClient;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A GraphQL server over an engine, called in process or through a socket. */
public final class Client implements AutoCloseable {

  /** How requests reach the server. */
  public enum Way {
    IN_PROCESS,
    SOCKET
  }

  /** What came back. */
  public record Answer(int status, Map<String, String> headers, String body) {

    public @Nullable String header(String name) {
      for (var header : headers.entrySet()) {
        if (header.getKey().equalsIgnoreCase(name)) {
          return header.getValue();
        }
      }
      return null;
    }
  }

  private final ExternalApiServer server;
  private final Way way;
  private final HttpClient http = HttpClient.newHttpClient();

  public Client(Engine engine) {
    this(engine, Way.IN_PROCESS, Limits.DEFAULT, GraphQlOptions.DEFAULT);
  }

  public Client(Engine engine, Way way) {
    this(engine, way, Limits.DEFAULT, GraphQlOptions.DEFAULT);
  }

  public Client(Engine engine, Way way, Limits limits, GraphQlOptions options) {
    this.way = way;
    this.server =
        ExternalApiServer.over(engine)
            .options(ServerOptions.builder().limits(limits).drain(Duration.ofSeconds(1)).build())
            .withoutDiscovery()
            .provider(new GraphQlProvider(options))
            .start();
  }

  /** The body of the response to a document. */
  public String ask(String document) {
    return ask(document, "{}");
  }

  /** The body of the response to a document with variables. */
  public String ask(String document, String variables) {
    return post("{\"query\":" + quoted(document) + ",\"variables\":" + variables + "}").body();
  }

  public Answer post(String body) {
    return send("POST", "/graphql", Map.of("Content-Type", "application/json"), body);
  }

  public Answer send(String method, String target, Map<String, String> headers, String body) {
    return send(method, target, headers, body.getBytes(StandardCharsets.UTF_8));
  }

  public Answer send(String method, String target, Map<String, String> headers, byte[] body) {
    return switch (way) {
      case IN_PROCESS -> {
        var request = new InProcessClient.Request(method, target, headers, body);
        var response = server.client().send(request);
        yield new Answer(response.status(), response.headers(), response.text());
      }
      case SOCKET -> overSocket(method, target, headers, body);
    };
  }

  private Answer overSocket(
      String method, String target, Map<String, String> headers, byte[] body) {
    var request =
        HttpRequest.newBuilder(server.uri().resolve(target))
            .version(HttpClient.Version.HTTP_1_1)
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    try {
      var response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      var received = new LinkedHashMap<String, String>();
      response.headers().map().forEach((name, values) -> received.put(name, values.getFirst()));
      return new Answer(response.statusCode(), received, response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public static String quoted(String text) {
    var bytes = new ByteArrayOutputStream();
    try (var generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), bytes)) {
      generator.writeString(text);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.shutdownNow(); // else the server waits for a moment for clients of HTTP/2 to leave
    server.close();
  }
}
