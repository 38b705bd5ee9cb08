// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** PostgreSQL keeps arrays of any number of dimensions in a column of any. */
final class ArrayDepthIT {

  private static final String SCRIPT =
      """
      create table grids (id int primary key, cells int[], words text[][]);
      insert into grids values (1, '{{1,2},{NULL,4}}', '{{"a b",c},{"{x}",NULL}}'),
        (2, '[2:3]={1,2}', '{"NULL",plain,""}'), (3, '{}', null);
      """;

  private static RestServer rest;

  @BeforeAll
  static void open() {
    rest = RestServer.over("postgresql", SCRIPT, Limits.DEFAULT);
  }

  @AfterAll
  static void close() {
    rest.close();
  }

  @Test
  void rows_haveThemAsTheyAre() {
    assertThat(rest.get("/grids?order=id"))
        .isEqualTo(
            """
            [{"id":1,"cells":[[1,2],[null,4]],"words":[["a b","c"],["{x}",null]]},\
            {"id":2,"cells":[1,2],"words":["NULL","plain",""]},\
            {"id":3,"cells":[],"words":null}]\
            """);
    assertThat(rest.get("/grids?order=id", "Accept", "text/csv"))
        .isEqualTo(
            """
            id,cells,words\r
            1,"{{1,2},{NULL,4}}","{{""a b"",c},{""{x}"",NULL}}"\r
            2,"{1,2}","{""NULL"",plain,\"\"\"\"}"\r
            3,{},\r
            """);
  }

  @Test
  void filters_findThem() {
    assertThat(rest.get("/grids?select=id&cells=cs.{4}")).isEqualTo("[{\"id\":1}]");
    assertThat(rest.get("/grids?select=id&cells=eq.{}")).isEqualTo("[{\"id\":3}]");
  }

  @Test
  void csv_canBeWrittenBack() {
    var row = "id,cells\r\n7,\"{1,NULL,3}\"\r\n";
    var request =
        HttpRequest.newBuilder(rest.uri("/grids?select=cells"))
            .header("Content-Type", "text/csv")
            .header("Prefer", "return=representation")
            .POST(HttpRequest.BodyPublishers.ofString(row));
    var added = rest.send(request.build());
    assertThat(added.body()).isEqualTo("[{\"cells\":[1,null,3]}]");
    rest.send("DELETE", "/grids?id=eq.7");
  }

  @Test
  void writes_ofOtherDepths_areRefused() {
    for (var cells : new String[] {"[[1,2],[3,4]]", "\"{{1,2},{3,4}}\""}) {
      var refused = rest.write("POST", "/grids", "{\"id\":8,\"cells\":" + cells + "}");
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    }
  }
}
