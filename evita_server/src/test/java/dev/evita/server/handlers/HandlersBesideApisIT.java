// SPDX-License-Identifier: Apache-2.0
package dev.evita.server.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.engine.jdbc.JdbcOptions;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.graphql.GraphQlProvider;
import dev.evita.externalapi.grpc.GrpcProvider;
import dev.evita.externalapi.rest.RestProvider;
import dev.evita.externalapi.sql.SqlOptions;
import dev.evita.externalapi.sql.SqlProvider;
import dev.evita.server.GrpcWebClient;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handlers for all paths, beside the other APIs. */
final class HandlersBesideApisIT {

  @TempDir private Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private JdbcEngine engine;
  private ExternalApiServer server;

  /** One schema is not to be served, and the handlers are in a table as well. */
  @BeforeEach
  void open() throws IOException {
    engine =
        JdbcEngine.open(
            "jdbc:h2:mem:" + UUID.randomUUID(),
            JdbcOptions.builder().schemas(Set.of("PUBLIC")).build());
    new EngineDriver(engine)
        .script(
            """
            create table pets (id integer primary key, name varchar(20) not null);
            insert into pets values (1, 'Rex');
            create schema vault;
            create table vault.secrets (id integer primary key);
            """);
    Files.writeString(
        directory.resolve("all.sql"),
        "-- route: /*rest\nselect 'handler of ' || path as body from request");
    server =
        ExternalApiServer.over(engine)
            .withoutDiscovery()
            .options(ServerOptions.builder().port(0).build())
            .provider(new GraphQlProvider())
            .provider(new RestProvider())
            .provider(new GrpcProvider())
            .provider(
                new SqlProvider(
                    SqlOptions.builder().handlers(directory).handlersTable(true).build()))
            .start();
    server.refresh();
  }

  @AfterEach
  void close() {
    server.close();
    client.close();
    engine.close();
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private String get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(server.uri().resolve(path))).body();
  }

  private String graphQl(String query) throws IOException, InterruptedException {
    var body = HttpRequest.BodyPublishers.ofString("{\"query\":\"" + query + "\"}");
    return send(HttpRequest.newBuilder(server.uri().resolve("/graphql"))
            .header("content-type", "application/json")
            .POST(body))
        .body();
  }

  @Test
  void tables_hiddenOrOfHandlers_areInNoApi() throws Exception {
    assertThat(new EngineDriver(engine).script("select count(*) from evita_http_handler"))
        .containsExactly(EngineDriver.row(0));
    var grpc = new GrpcWebClient(server.uri());
    var messages =
        grpc.file("public.proto").getMessageTypes().stream()
            .map(Descriptor::getName)
            .toList()
            .toString();
    for (var published :
        List.of(graphQl("{ __schema { types { name } } }"), get("/rest/openapi.json"), messages)) {
      assertThat(published)
          .containsIgnoringCase("pets")
          .doesNotContainIgnoringCase("secret")
          .doesNotContainIgnoringCase("handler");
    }
    for (var table : List.of("evita_http_handler", "secrets", "vault_secrets")) {
      assertThat(get("/rest/" + table)).contains("\"code\":");
    }
  }

  @Test
  void handlerForAllPaths_leavesOtherApisTheirs() throws Exception {
    assertThat(get("/pets")).isEqualTo("handler of /pets");
    assertThat(get("/rest/pets")).isEqualTo("[{\"id\":1,\"name\":\"Rex\"}]");
    assertThat(graphQl("{ pets { name } }")).contains("Rex");
    var grpc = new GrpcWebClient(server.uri());
    var pets = grpc.file("public.proto").findServiceByName("Pets");
    assertThat(grpc.call(pets.findMethodByName("Scan"))).asString().contains("Rex");
  }
}
