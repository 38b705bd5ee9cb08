// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.limits.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What PostgREST's own tests expect of it (github.com/PostgREST/postgrest, test/spec), by requests
 * and responses that were recorded from them. The differences are listed in docs/rest.md.
 */
final class PostgrestSpecIT {

  private static final Path SPEC = Path.of("src", "test", "resources", "postgrest-spec");
  private static final List<String> FILES =
      List.of("reading", "logic", "json", "related", "ranges", "writing", "calls");

  private static RestServer rest;

  @BeforeAll
  static void open() throws IOException {
    rest =
        RestServer.over(
            "postgresql", Files.readString(SPEC.resolve("fixtures.sql")), Limits.DEFAULT);
  }

  @AfterAll
  static void close() {
    rest.close();
  }

  static Stream<SpecCase> cases() {
    return FILES.stream().flatMap(name -> SpecCase.read(SPEC.resolve(name + ".txt")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void request_hasTheResponseOfPostgrest(SpecCase wanted) {
    var answer = rest.send(request(wanted));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(wanted.status());
    body(wanted.expected(), answer.body());
    wanted.expectedHeaders().forEach((name, value) -> header(answer, name, value));
  }

  /** Nothing that is written stays, so that each case finds the same rows. */
  private static HttpRequest request(SpecCase wanted) {
    var body = wanted.body();
    var request =
        HttpRequest.newBuilder(uri(wanted.target()))
            .method(
                wanted.method(),
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    wanted.headers().forEach(request::header);
    if (!wanted.method().equals("GET") && !wanted.method().equals("HEAD")) {
      request.header("Prefer", "tx=rollback");
    }
    if (!wanted.headers().containsKey("Content-Type")) {
      request.header("Content-Type", "application/json");
    }
    return request.build();
  }

  /** Blanks and quotes need no escapes; existing escapes are kept. */
  private static URI uri(String target) {
    return URI.create(rest.escapedUri(target).toString().replace("%25", "%"));
  }

  private static void body(String expected, String body) {
    if (expected.equals("-")) {
      assertThat(body).isEmpty();
    } else if (expected.startsWith("~")) {
      assertThat(body).contains(expected.substring(1));
    } else if (expected.isEmpty() || !isJson(expected)) {
      assertThat(body.replace("\r\n", "\n").strip()).contains(expected);
    } else {
      assertThat(tree(body)).isEqualTo(tree(expected));
    }
  }

  private static boolean isJson(String text) {
    return text.equals("null") || "[{\"0123456789".indexOf(text.charAt(0)) >= 0;
  }

  private static Object tree(String json) {
    return JsonTree.parse(json.getBytes(StandardCharsets.UTF_8));
  }

  private static void header(HttpResponse<String> answer, String name, String expected) {
    var found = String.join(", ", answer.headers().allValues(name));
    if (name.equals("Preference-Applied")) {
      assertThat(Stream.of(found.split(", ")).filter(each -> !each.equals("tx=rollback")))
          .containsExactlyInAnyOrder(expected.split(", "));
    } else {
      assertThat(found.replaceFirst("^/rest", "")).as(name).isEqualTo(expected);
    }
  }
}
