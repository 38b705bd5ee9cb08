// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.sql.declaration.RoutePattern;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The table of routes: precedence, groups and methods. */
final class RouteTableTest {

  private static RouteTable table(String... routes) {
    var handlers = new ArrayList<Handler>();
    for (var route : routes) {
      handlers.add(
          new ProgramHandler(RoutePattern.parse(route), 0, (request, transaction) -> null));
    }
    return new RouteTable(handlers);
  }

  private static String[] segments(String path) {
    return path.substring(1).split("/", -1);
  }

  private static List<String> matches(RouteTable table, String method, String path) {
    return table.match(method, segments(path)).stream()
        .map(match -> match.entry().pattern().toString())
        .toList();
  }

  @Test
  void literal_isBeforeGroup_isBeforeRest() {
    var table = table("/*all", "/users/:id", "/users/me", "/:kind/me", "/users/*rest");

    assertThat(matches(table, "GET", "/users/me"))
        .containsExactly("/users/me", "/users/:id", "/users/*rest", "/:kind/me", "/*all");
    assertThat(matches(table, "GET", "/a/b")).containsExactly("/*all");
    assertThat(matches(table, "GET", "/users/1/2")).containsExactly("/users/*rest", "/*all");
  }

  @Test
  void priority_isBeforeSpecificity() {
    var low = new ProgramHandler(RoutePattern.parse("/a"), 0, (request, transaction) -> null);
    var high = new ProgramHandler(RoutePattern.parse("/:b"), 1, (request, transaction) -> null);

    assertThat(matches(new RouteTable(List.of(low, high)), "GET", "/a"))
        .containsExactly("/:b", "/a");
  }

  @Test
  void groups_haveTheirSegments() {
    var match = table("/a/:b/c/*d").match("GET", segments("/a/1/c/2/3")).getFirst();

    assertThat(match.group("b")).isEqualTo("1");
    assertThat(match.group("d")).isEqualTo("2/3");
  }

  @Test
  void emptySegment_isNoGroup() {
    var table = table("/users/:id", "/");

    assertThat(matches(table, "GET", "/users/")).isEmpty();
    assertThat(matches(table, "GET", "/")).containsExactly("/");
    assertThat(matches(table, "GET", "/users")).isEmpty();
  }

  @Test
  void method_restrictsRoute() {
    var table = table("GET /a", "POST /a", "/b");

    assertThat(matches(table, "GET", "/a")).containsExactly("GET /a");
    assertThat(matches(table, "HEAD", "/a")).containsExactly("GET /a");
    assertThat(matches(table, "PUT", "/a")).isEmpty();
    assertThat(table.methods(segments("/a"))).containsExactly("GET", "HEAD", "POST");
    assertThat(matches(table, "PATCH", "/b")).containsExactly("/b");
    assertThat(table.methods(segments("/c"))).isEmpty();
  }

  @Test
  void manyRoutes_areOneTree() {
    var routes =
        IntStream.range(0, 1_000).mapToObj(n -> "GET /r" + n + "/:id/x").toArray(String[]::new);

    assertThat(matches(table(routes), "GET", "/r517/9/x")).containsExactly("GET /r517/:id/x");
  }
}
