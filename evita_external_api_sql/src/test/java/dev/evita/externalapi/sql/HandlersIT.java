// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.sql.HandlerServer.Database;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers over all databases, by a real client. */
@Timeout(120)
final class HandlersIT {

  @TempDir private Path directory;
  private @Nullable HandlerServer server;

  private HandlerServer over(Database database) {
    server = HandlerServer.over(database, directory.resolve(UUID.randomUUID().toString()));
    return server;
  }

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  // ---- the article's examples ----

  /** The article's first query: no route, both answers by priority. */
  private static String article(Database database) {
    return switch (database) {
      case H2 ->
          """
          select 200 as status, 'text/html; charset=utf-8' as content_type,
                 'Hello, <b>' || users.name || '</b>!' as body, 1 as priority
            from request
            join users on request.path = '/users/' || users.handle
          union all
          select 404, 'application/json',
                 cast(json_object('method': request.method, 'path': request.path,
                   'query_string': request.query_string) as varchar), 0
            from request
          order by priority desc
          """;
      case SQLITE ->
          """
          select 200 as status, 'text/html; charset=utf-8' as content_type,
                 'Hello, <b>' || users.name || '</b>!' as body, 1 as priority
            from request
            join users on request.path = '/users/' || users.handle
          union all
          select 404, 'application/json',
                 json_object('method', request.method, 'path', request.path,
                   'query_string', request.query_string), 0
            from request
          order by priority desc
          """;
      case POSTGRES ->
          """
          select 200 as status, 'text/html; charset=utf-8' as content_type,
                 'Hello, <b>' || users.name || '</b>!' as body, 1 as priority
            from request
            join users on request.path = '/users/' || users.handle
          union all
          select 404, 'application/json',
                 cast(json_build_object('method', request.method, 'path', request.path,
                   'query_string', request.query_string) as text), 0
            from request
          order by priority desc
          """;
    };
  }

  @ParameterizedTest
  @EnumSource
  void articlesQuery_withoutRoute_givesBothAnswers(Database database) {
    var served = over(database).handler("article.sql", article(database)).start();

    var hello = served.get("/users/johndoe");
    assertThat(hello.statusCode()).isEqualTo(200);
    assertThat(hello.body()).isEqualTo("Hello, <b>John</b>!");
    assertThat(hello.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
    var missing = served.send("POST", "/test?q", "");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body().replaceAll("\\s", ""))
        .isEqualTo("{\"method\":\"POST\",\"path\":\"/test\",\"query_string\":\"q\"}");
  }

  private static final String HELLO =
      """
      -- route: GET /users/:handle
      -- priority: 1
      select 'text/html; charset=utf-8' as content_type,
             'Hello, <b>' || users.name || '</b>!' as body
        from request
        join users on users.handle = request.handle
      """;

  @ParameterizedTest
  @EnumSource
  void articlesHandler_withPathGroup_givesBothAnswers(Database database) {
    var served =
        over(database)
            .handler("hello.sql", HELLO)
            .handler(
                "missing.sql",
                "select 404 as status, 'application/json' as content_type, '{\"path\":\"' ||"
                    + " request.path || '\"}' as body from request")
            .start();

    assertThat(served.get("/users/johndoe").body()).isEqualTo("Hello, <b>John</b>!");
    assertThat(served.get("/users/a%20b").body()).isEqualTo("Hello, <b>Blank</b>!");
    var missing = served.get("/users/nobody");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body()).isEqualTo("{\"path\":\"/users/nobody\"}");
  }

  @ParameterizedTest
  @EnumSource
  void noRow_isNotFoundAsJson(Database database) {
    var served = over(database).handler("hello.sql", HELLO).start();

    var missing = served.get("/users/nobody");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.headers().firstValue("content-type")).contains("application/problem+json");
    assertThat(missing.body()).contains("NOT_FOUND").contains("/users/nobody");
    assertThat(served.send("DELETE", "/users/jane", null).statusCode()).isEqualTo(405);
    assertThat(served.send("DELETE", "/users/jane", null).headers().firstValue("allow"))
        .contains("GET, HEAD, OPTIONS");
    assertThat(served.send("OPTIONS", "/users/jane", null).statusCode()).isEqualTo(204);
    var head = served.send("HEAD", "/users/jane", null);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("content-length")).contains("19");
  }

  // ---- inputs ----

  @ParameterizedTest
  @EnumSource
  void inputs_ofAllSources_areTyped(Database database) {
    var served =
        over(database)
            .handler(
                "inputs.sql",
                """
                -- route: POST /inputs/:id
                -- read-only: true
                -- path: id integer
                -- query: page integer = 1
                -- query: q text
                -- header: x_trace text
                -- cookie: session text
                -- form: name text not null
                select request.id_of || '|' || 'x' as body from (select
                  cast(id_column as varchar(20)) as id_of from (select page as id_column from request) p) request
                """
                    .replace("id integer", "number integer")
                    .replace(":id", ":number")
                    .replace(
                        "select request.id_of || '|' || 'x' as body from (select\n"
                            + "  cast(id_column as varchar(20)) as id_of from (select page as"
                            + " id_column from request) p) request",
                        "select cast(number + 1 as varchar(20)) || '|' || cast(page as varchar(20))"
                            + " || '|' || coalesce(q, '-') || '|' || x_trace || '|' || session"
                            + " || '|' || name as body from request"))
            .start();

    var form = "application/x-www-form-urlencoded";
    var all =
        served.post(
            "/inputs/41?page=3&q=%C3%A4+b",
            form, "name=J%26J+x", "X-Trace", "t1", "Cookie", "a=b; session=s1");
    assertThat(all.body()).isEqualTo("42|3|ä b|t1|s1|J&J x");
    assertThat(served.post("/inputs/many", form, "name=a").statusCode()).isEqualTo(404);
    var faulty = served.post("/inputs/1?page=x", form, "name=a");
    assertThat(faulty.statusCode()).isEqualTo(400);
    assertThat(faulty.body()).contains("query parameter 'page'").contains("INVALID_VALUE");
    var missing = served.post("/inputs/1", form, "other=a");
    assertThat(missing.statusCode()).isEqualTo(400);
    assertThat(missing.body()).contains("form field 'name' is missing");
    assertThat(served.post("/inputs/1", "text/plain", "name=a").statusCode()).isEqualTo(415);
  }

  @ParameterizedTest
  @EnumSource
  void jsonMembers_areInputs(Database database) {
    var served =
        over(database)
            .handler(
                "json.sql",
                """
                -- route: POST /json
                -- read-only: true
                -- json: name text not null
                -- json: age integer
                select name || coalesce(cast(age as varchar(10)), 'none') as body from request
                """)
            .start();

    assertThat(served.post("/json", "application/json", "{\"name\":\"A\",\"age\":4}").body())
        .isEqualTo("A4");
    assertThat(served.post("/json", "application/json", "{\"name\":\"A\"}").body())
        .isEqualTo("Anone");
    for (var bad : new String[] {"{", "[1]", "{\"name\":\"a\",\"age\":\"x\"}", "{\"name\":[1]}"}) {
      assertThat(served.post("/json", "application/json", bad).statusCode()).as(bad).isEqualTo(400);
    }
  }

  // ---- writes ----

  private static final String ADD =
      """
      -- route: POST /notes
      -- form: number integer
      -- form: words text not null
      insert into notes (id, text) select number, words from request;
      select 201 as status, '/notes/' || cast(number as varchar(20)) as location from request
      """;

  @ParameterizedTest
  @EnumSource
  void script_commitsAllOrNothing(Database database) {
    var served =
        over(database)
            .handler("add.sql", ADD)
            .handler(
                "twice.sql",
                """
                -- route: POST /twice
                insert into notes (id, text) select 7, 'first' from request;
                insert into notes (id, text) select 7, 'second' from request;
                select 201 as status
                """)
            .handler(
                "undone.sql",
                """
                -- route: POST /undone
                insert into notes (id, text) select 8, 'unanswered' from request;
                select 201 as status from request where request.path = '/other'
                """)
            .start();
    var form = "application/x-www-form-urlencoded";

    var added = served.post("/notes", form, "number=1&words=a%27b");
    assertThat(added.statusCode()).isEqualTo(201);
    assertThat(added.headers().firstValue("location")).contains("/notes/1");
    assertThat(served.post("/notes", form, "number=1&words=again").statusCode()).isEqualTo(409);
    var twice = served.send("POST", "/twice", "");
    assertThat(twice.statusCode()).isEqualTo(409);
    assertThat(twice.body()).contains("UNIQUE_VIOLATION");
    assertThat(served.send("POST", "/undone", "").statusCode()).isEqualTo(404);
    assertThat(served.db().script("select id, text from notes"))
        .containsExactly(dev.evita.api.testkit.EngineDriver.row(1, "a'b"));
  }

  @ParameterizedTest
  @EnumSource
  void write_fromAnotherOrigin_isRefused(Database database) {
    var served = over(database).handler("add.sql", ADD).start();

    var foreign =
        served.post(
            "/notes",
            "application/x-www-form-urlencoded",
            "number=1&words=a",
            "Origin",
            "https://evil.example");
    assertThat(foreign.statusCode()).isEqualTo(403);
    assertThat(foreign.body()).contains("ORIGIN_NOT_ALLOWED");
    assertThat(served.db().script("select id from notes")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void readingHandler_thatWrites_isRefusedAtStart(Database database) {
    var handlers =
        over(database)
            .handler("visit.sql", "-- route: GET /visit\ndelete from notes;\nselect 200 as status");

    assertThatThrownBy(handlers::start)
        .isInstanceOf(EvitaException.class)
        .hasMessageContaining("visit.sql, line 2: DELETE in a read-only query")
        .hasMessageContaining("read-only: false");
  }

  // ---- limits and faults ----

  @ParameterizedTest
  @EnumSource
  void endlessLoop_endsAtItsTimeout(Database database) {
    var served =
        over(database)
            .handler(
                "loop.sql",
                """
                -- route: GET /loop
                -- timeout: 300ms
                with recursive n(i) as (select 1 union all select i + 1 from n)
                select cast(count(*) as varchar(20)) as body from n
                """)
            .handler("hello.sql", HELLO)
            .start();

    assertThat(served.get("/loop").statusCode()).isEqualTo(504);
    assertThat(served.get("/users/jane").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void faultyResponse_isAnInternalError_andTheServerGoesOn(Database database) {
    var served =
        over(database)
            .handler("status.sql", "-- route: GET /status\nselect 99 as status")
            .handler(
                "header.sql",
                "-- route: GET /header\nselect '{\"x-a\": \"a\\nb\"}' as headers, 'x' as body")
            .handler(
                "length.sql",
                "-- route: GET /length\nselect '{\"content-length\": \"1\"}' as headers")
            .handler("json.sql", "-- route: GET /json\nselect 'no json' as headers")
            .handler("hello.sql", HELLO)
            .start();

    for (var path : new String[] {"/status", "/header", "/length", "/json"}) {
      var response = served.get(path);
      assertThat(response.statusCode()).as(path).isEqualTo(500);
      assertThat(response.body()).as(path).contains("\"INTERNAL\"").doesNotContain(".sql");
    }
    assertThat(served.get("/users/jane").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void bodyBeyondTheLimit_isRefused(Database database) {
    var repeat =
        database == Database.SQLITE
            ? "replace(hex(zeroblob(150000)), '0', 'x')"
            : "repeat('x', 300000)";
    var served =
        over(database)
            .limits(Limits.builder().maxAnswerBytes(200_000).build())
            .handler("big.sql", "-- route: GET /big\nselect " + repeat + " as body")
            .start();

    assertThat(served.get("/big").statusCode()).isEqualTo(400);
    assertThat(served.get("/big").body()).contains("ANSWER_TOO_LARGE");
  }

  @ParameterizedTest
  @EnumSource
  void largeBody_arrivesWhole(Database database) {
    var repeat =
        database == Database.SQLITE
            ? "replace(hex(zeroblob(150000)), '0', 'x')"
            : "repeat('x', 300000)";
    var served =
        over(database)
            .handler("big.sql", "-- route: GET /big\nselect " + repeat + " as body")
            .start();

    assertThat(served.get("/big").body()).hasSize(300_000).containsOnlyOnce("x".repeat(300_000));
  }

  @ParameterizedTest
  @EnumSource
  void hostileGroups_areDataOrNoMatch(Database database) {
    var served = over(database).handler("hello.sql", HELLO).start();

    for (var group :
        new String[] {
          "%27%20or%201=1--",
          "%22",
          "a%00b",
          "%C0%AF",
          "%FF",
          "..%2f..%2fetc",
          "%2e%2e",
          "x".repeat(3000)
        }) {
      assertThat(served.get("/users/" + group).statusCode()).as(group).isIn(400, 404);
    }
    assertThat(served.get("/users/johndoe").statusCode()).isEqualTo(200);
  }

  // ---- more outcomes ----

  @ParameterizedTest
  @EnumSource
  void redirectCookiesHeaders(Database database) {
    var served =
        over(database)
            .handler(
                "login.sql",
                """
                -- route: POST /login
                -- read-only: true
                select '/home' as location,
                  '[{"name":"session","value":"s1","max_age":60,"secure":true},{"name":"b","value":"2","http_only":false}]'
                    as cookies,
                  '{"cache-control":"no-store","x-many":["1","2"]}' as headers
                """)
            .start();

    var response = served.send("POST", "/login", "");
    assertThat(response.statusCode()).isEqualTo(303);
    assertThat(response.headers().firstValue("location")).contains("/home");
    assertThat(response.headers().firstValue("cache-control")).contains("no-store");
    assertThat(response.headers().allValues("set-cookie"))
        .containsExactly(
            "session=s1; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax",
            "b=2; Path=/; SameSite=Lax");
  }

  @ParameterizedTest
  @EnumSource
  void template_escapesValues(Database database) {
    var served =
        over(database)
            .options(options -> options.templates(server().directory("templates")))
            .file("templates", "page.html", "<p>{{name}}</p>{{>foot.html}}")
            .file("templates", "foot.html", "<i>{{{raw}}}</i>")
            .handler(
                "page.sql",
                "-- route: GET /page\nselect 'page.html' as template, '<b>&' as name, '<hr>' as raw")
            .start();

    var page = served.get("/page");
    assertThat(page.body()).isEqualTo("<p>&lt;b&gt;&amp;</p><i><hr></i>");
    assertThat(page.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
  }

  private HandlerServer server() {
    if (server == null) {
      throw new IllegalStateException("no server");
    }
    return server;
  }

  @ParameterizedTest
  @EnumSource
  void middleware_setsHeaders_refuses_andReplacesTheBody(Database database) {
    var served =
        over(database)
            .handler("hello.sql", HELLO)
            .handler(
                "security.sql",
                "-- stage: before\nselect '{\"x-frame-options\":\"DENY\"}' as headers")
            .handler(
                "gate.sql",
                "-- route: /users/jane\n-- stage: before\nselect 401 as status, 'no' as body")
            .handler(
                "upper.sql",
                "-- stage: after\nselect upper(response_body) as body from request where"
                    + " response_status = 200")
            .start();

    var hello = served.get("/users/johndoe");
    assertThat(hello.body()).isEqualTo("HELLO, <B>JOHN</B>!");
    assertThat(hello.headers().firstValue("x-frame-options")).contains("DENY");
    var refused = served.get("/users/jane");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).isEqualTo("no");
  }

  // ---- reload ----

  @ParameterizedTest
  @EnumSource
  void changedFile_isServed_andABrokenOneIsNot(Database database) {
    var served = over(database).handler("a.sql", "-- route: GET /a\nselect 'one' as body").start();
    assertThat(served.get("/a").body()).isEqualTo("one");

    served.handler("a.sql", "-- route: GET /a\nselect nothing from nowhere");
    served.handler("b.sql", "-- route: GET /b\nselect 'b' as body");
    assertThat(served.get("/a").body()).isEqualTo("one");
    served.handler("a.sql", "-- route: GET /a\nselect 'two' as body");

    await(() -> served.get("/a").body().equals("two"));
    assertThat(served.get("/b").body()).isEqualTo("b");
  }

  private static void await(java.util.function.BooleanSupplier condition) {
    org.awaitility.Awaitility.await().until(condition::getAsBoolean);
  }

  @ParameterizedTest
  @EnumSource
  void droppedTable_breaksItsHandlerOnly(Database database) {
    var served =
        over(database)
            .handler("hello.sql", HELLO)
            .handler("notes.sql", "-- route: GET /notes\nselect text as body from notes")
            .start();

    served.db().script("drop table notes");
    served.server().refresh();

    assertThat(served.get("/notes").statusCode()).isEqualTo(500);
    assertThat(served.get("/users/jane").statusCode()).isEqualTo(200);
    served.db().script("create table notes (id integer primary key, text varchar(200) not null)");
    served.db().script("insert into notes values (1, 'back')");
    served.server().refresh();
    assertThat(served.get("/notes").body()).isEqualTo("back");
  }

  @ParameterizedTest
  @EnumSource
  void handlersTable_isReadAndReloaded(Database database) {
    var served = over(database).options(options -> options.handlersTable(true)).start();
    served.server().refresh();

    served
        .db()
        .script(
            "insert into evita_http_handler (name, text) values ('t', '-- route: GET /t\nselect ''x'' as body')");

    await(() -> served.get("/t").statusCode() == 200);
    assertThat(served.get("/t").body()).isEqualTo("x");
  }

  // ---- Java ----

  @ParameterizedTest
  @EnumSource
  void javaHandler_sharesRoutesAndTransaction(Database database) {
    var served =
        over(database)
            .handler("hello.sql", HELLO)
            .program(provider ->
                provider
                    .handler(
                        "GET /java/:handle",
                        (request, transaction) ->
                            transaction
                                .query(
                                    "select name from users join request on users.handle ="
                                        + " request.handle",
                                    java.util.Map.of("handle", request.group("handle")))
                                .stream()
                                .map(row ->
                                    dev.evita.externalapi.sql.program.HandlerResponse.text(
                                        String.valueOf(row.get("name"))))
                                .findFirst()
                                .orElse(null))
                    .handler(
                        "POST /java/:number",
                        (request, transaction) -> {
                          transaction.query(
                              "insert into notes (id, text) select number, 'java' from request",
                              java.util.Map.of("number", Integer.valueOf(request.group("number"))));
                          if (request.group("number").equals("13")) {
                            throw new IllegalStateException("unlucky");
                          }
                          return dev.evita.externalapi.sql.program.HandlerResponse.of(204);
                        }))
            .start();

    assertThat(served.get("/java/jane").body()).isEqualTo("Jane");
    assertThat(served.get("/java/nobody").statusCode()).isEqualTo(404);
    assertThat(served.send("POST", "/java/5", "").statusCode()).isEqualTo(204);
    assertThat(served.send("POST", "/java/5", "").statusCode()).isEqualTo(409);
    assertThat(served.send("POST", "/java/13", "").statusCode()).isEqualTo(500);
    assertThat(served.db().script("select id from notes"))
        .containsExactly(dev.evita.api.testkit.EngineDriver.row(5));
  }
}
