// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.ServerOptions;
import dev.evita.testsupport.GoProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** grpcurl, unchanged, lists, describes and calls the service of each table. */
@Tag("tools")
final class GrpcurlIT {

  private static final String TABLES =
      """
      create table products (id int primary key, name varchar(20), parent int references products (id));
      create table "Foo Bar" (id int primary key, name varchar(20));
      create table foo_bar (id int primary key, name varchar(20));
      create table "order" (id int primary key, name varchar(20));
      create table pairs (a int not null, b int not null, name varchar(20), primary key (a, b));
      create table notes (id int, name varchar(20));
      create view cheap as select id, name from products;
      insert into products values (1, 'one', null);
      insert into notes values (1, 'one');
      """;

  /** The service's method took longer than was allowed: 64 and the code of gRPC. */
  private static final int DEADLINE_EXCEEDED = 64 + 4;

  private static Path grpcurl;

  @TempDir private Path directory;

  @BeforeAll
  static void build() throws IOException, InterruptedException {
    grpcurl =
        GoProject.build(
            "grpcurl", "github.com/fullstorydev/grpcurl/cmd/grpcurl", "gRPC with grpcurl");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void grpcurl_callsAllServices(String kind) throws Exception {
    try (var server = GrpcServer.over(kind, TABLES + AllTypes.script(kind))) {
      var schema = kind.equals("sqlite") ? "main" : "public";
      var calls = new Calls(server, "-plaintext");
      var services = calls.services(schema);
      assertThat(services)
          .containsExactlyInAnyOrder(
              schema + ".Cheap",
              schema + ".FooBar",
              schema + ".FooBar_2",
              schema + ".Kinds",
              schema + ".Notes",
              schema + ".Order",
              schema + ".Pairs",
              schema + ".Products");
      for (var service : services) {
        calls.everyMethod(service);
      }
    }
  }

  @Test
  void grpcurl_byTls() throws Exception {
    var options = ServerOptions.builder().tls(TestCertificate.in(directory)).build();
    try (var server = GrpcServer.over("h2", TABLES, options)) {
      new Calls(server, "-insecure").everyMethod("public.Products");
    }
  }

  @Test
  void grpcurl_byServedFile() throws Exception {
    try (var server = GrpcServer.over("h2", TABLES)) {
      Files.writeString(directory.resolve("public.proto"), server.get("/grpc/public.proto"));
      new Calls(
              server, "-plaintext", "-import-path", directory.toString(), "-proto", "public.proto")
          .everyMethod("public.Products");
    }
  }

  /** Calls of one server. */
  private final class Calls {

    private final GrpcServer server;
    private final List<String> how;

    private Calls(GrpcServer server, String... how) {
      this.server = server;
      this.how = List.of(how);
    }

    private List<String> services(String schema) throws Exception {
      return run(0, "", List.of(), "list")
          .lines()
          .filter(line -> line.startsWith(schema + "."))
          .toList();
    }

    private void everyMethod(String service) throws Exception {
      assertThat(run(0, "", List.of(), "describe", service)).startsWith(service + " is a service:");
      assertThat(run(0, "", List.of(), "describe", service + "Row")).contains("optional ");
      var methods = run(0, "", List.of(), "list", service).lines().toList();
      var column = service.endsWith(".Kinds") ? "word" : "name";
      var key = service.endsWith(".Pairs") ? "\"a\": 7, \"b\": %d" : "\"id\": %d";
      var requests = requests(key, column);
      var called = new ArrayList<String>();
      for (var request : requests.entrySet()) {
        var method = service + "." + request.getKey();
        if (methods.contains(method)) {
          var answer = call(method.replaceFirst("\\.(?=[^.]*$)", "/"), request.getValue());
          assertThat(answer).as(method).contains(expected(request.getKey()));
          called.add(method);
        }
      }
      assertThat(called).containsExactlyInAnyOrderElementsOf(methods);
    }

    private static Map<String, String> requests(String key, String column) {
      var seven = key.formatted(7);
      var requests = new LinkedHashMap<String, String>();
      requests.put("Insert", "{\"row\": {%s, \"%s\": \"seven\"}}".formatted(seven, column));
      requests.put(
          "InsertMany",
          "{\"row\": {%s}} {\"row\": {%s}}".formatted(key.formatted(8), key.formatted(9)));
      requests.put("Get", "{\"key\": {%s}}".formatted(seven));
      requests.put(
          "List",
          "{\"page_size\": 2, \"order\": [{\"column\": \"%s\", \"nulls\": \"NULLS_LAST\"}]}"
              .formatted(column));
      requests.put("Scan", "{\"filter\": {\"%s\": {\"is_null\": false}}}".formatted(column));
      requests.put(
          "Update", "{\"key\": {%s}, \"row\": {\"%s\": \"new\"}}".formatted(seven, column));
      requests.put("Watch", "{\"filter\": {\"%s\": {\"eq\": \"new\"}}}".formatted(column));
      requests.put("Delete", "{\"key\": {%s}}".formatted(seven));
      return requests;
    }

    private static String expected(String method) {
      return switch (method) {
        case "InsertMany" -> "\"inserted\": \"2\"";
        case "Insert", "Get" -> "\"seven\"";
        case "Watch" -> "\"kind\": \"READY\"";
        case "List", "Scan" -> "\": ";
        default -> "\"new\"";
      };
    }

    private String call(String method, String request) throws Exception {
      return method.endsWith("/Watch")
          ? run(DEADLINE_EXCEEDED, request, List.of("-max-time", "1"), method)
          : run(0, request, List.of(), method);
    }

    private String run(int status, String request, List<String> options, String... what)
        throws Exception {
      var command = new ArrayList<String>();
      command.add(grpcurl.toString());
      command.addAll(how);
      command.addAll(options);
      if (!request.isEmpty()) {
        command.addAll(List.of("-d", request));
      }
      if (!how.contains("-proto") || !request.isEmpty()) {
        command.add("127.0.0.1:" + server.port());
      }
      command.addAll(List.of(what));
      var complaints = directory.resolve("complaints.txt");
      var process = new ProcessBuilder(command).redirectError(complaints.toFile()).start();
      try {
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
            .as("%s: %s", command, Files.readString(complaints))
            .isEqualTo(status);
        return output;
      } finally {
        process.destroyForcibly();
      }
    }
  }
}
