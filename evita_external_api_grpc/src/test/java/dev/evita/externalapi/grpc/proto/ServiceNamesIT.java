// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.InProcessClient.Request;
import dev.evita.externalapi.grpc.ChangingDatabase;
import dev.evita.externalapi.grpc.ReflectingClient;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An old client reaches the same tables, whatever tables come whose services would by themselves be
 * called as theirs.
 */
@Timeout(120)
final class ServiceNamesIT {

  /** The later table comes first in the catalog, or has the shorter name. */
  private static final String CASES =
      """
      h2,         log,     Log,    LOG,    Log_2
      h2,         zed_row, ZedRow, zed,    Zed_2
      sqlite,     acc_t,   AccT,   acc__t, AccT_2
      sqlite,     zed_row, ZedRow, zed,    Zed_2
      postgresql, log,     Log,    LOG,    Log_2
      postgresql, acc_t,   AccT,   acc__t, AccT_2
      postgresql, zed_row, ZedRow, zed,    Zed_2
      """;

  @TempDir Path directory;
  private ChangingDatabase database;
  private String schema;

  private void open(String kind, String... script) throws SQLException {
    database = new ChangingDatabase(kind, directory, script);
    schema = database.schema();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  /** A table with one row that identifies it. */
  private static String[] create(String table) {
    return new String[] {
      "create table %s (id integer primary key, v varchar(20))".formatted(quoted(table)),
      "insert into %s values (1, 'of %s')".formatted(quoted(table), table)
    };
  }

  private static String quoted(String table) {
    return '"' + table + '"';
  }

  private String owner(ReflectingClient client, String base) {
    var path = "%s.%s/Get".formatted(schema, base);
    return client.call(path, "{\"key\": {\"id\": 1}, \"columns\": [\"v\"]}");
  }

  private static String of(String table) {
    return "{\"v\":\"of %s\"}".formatted(table);
  }

  @ParameterizedTest
  @CsvSource(textBlock = CASES)
  void oldClient_anotherTableOfItsNameCame(
      String kind, String table, String base, String other, String otherBase) throws Exception {
    open(kind, create(table));
    try (var old = new ReflectingClient(database.port())) {
      assertThat(owner(old, base)).isEqualTo(of(table));

      database.change(create(other));
      assertThat(owner(old, base)).isEqualTo(of(table));
      old.call(
          "%s.%s/Insert".formatted(schema, base), "{\"row\": {\"id\": 2, \"v\": \"by client\"}}");
      assertThat(database.read("select v from " + quoted(table) + " where id = 2"))
          .isEqualTo("by client");
      assertThat(database.read("select count(*) from " + quoted(other))).isEqualTo("1");
      try (var young = new ReflectingClient(database.port())) {
        assertThat(owner(young, otherBase)).isEqualTo(of(other));
      }

      // The first call and the first questions come before the names are read.
      database.restartAfter();
      try (var same = old.at(database.port());
          var another = database.another()) {
        assertThat(answerToPreflight(another, base)).isEqualTo(204);
        assertThat(owner(same, base)).isEqualTo(of(table));
      }

      // Dropped and not reused; then created again.
      database.change("drop table " + quoted(table));
      try (var same = old.at(database.port())) {
        assertThatThrownBy(() -> owner(same, base)).hasMessageContaining("UNIMPLEMENTED");
        database.restartAfter();
      }
      try (var young = new ReflectingClient(database.port());
          var same = old.at(database.port())) {
        assertThat(owner(young, otherBase)).isEqualTo(of(other));
        assertThatThrownBy(() -> owner(same, base)).hasMessageContaining("UNIMPLEMENTED");
        database.change(create(table));
        assertThat(owner(same, base)).isEqualTo(of(table));
        assertThat(owner(young, otherBase)).isEqualTo(of(other));
      }
    }
  }

  private int answerToPreflight(ExternalApiServer server, String base) {
    var target = "/%s.%s/Get".formatted(schema, base);
    return server.client().send(new Request("OPTIONS", target, Map.of(), new byte[0])).status();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void oldClient_anotherSchemaOfItsNameCame(String kind) throws Exception {
    open(
        kind,
        "create schema \"sa\"",
        "create table \"sa\".\"t\" (id integer primary key, v varchar(20))",
        "insert into \"sa\".\"t\" values (1, 'of sa')");
    schema = "sa";
    try (var old = new ReflectingClient(database.port())) {
      assertThat(owner(old, "T")).isEqualTo(of("sa"));
      var script =
          new String[] {
            "create schema \"SA\"",
            "create table \"SA\".\"t\" (id integer primary key, v varchar(20))",
            "insert into \"SA\".\"t\" values (1, 'of SA')"
          };
      database.change(script);
      assertThat(owner(old, "T")).isEqualTo(of("sa"));
      database.restartAfter();
      try (var same = old.at(database.port())) {
        assertThat(owner(same, "T")).isEqualTo(of("sa"));
        schema = "SA_2";
        assertThat(owner(same, "T")).isEqualTo(of("SA"));
        assertThat(proto()).contains("// Schema \"SA\".");
      }
    }
  }

  private String proto() {
    return database.server().client().send(Request.get("/grpc/" + schema + ".proto")).text();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void severalServersAtOnce_sameNames(String kind) throws Exception {
    open(kind, create("zed_row"));
    try (var old = new ReflectingClient(database.port())) {
      assertThat(owner(old, "ZedRow")).isEqualTo(of("zed_row"));
      database.execute(create("zed"));
      database.execute(create("zed_row_row"));
      var others = IntStream.range(0, 4).parallel().mapToObj(i -> database.another()).toList();
      try {
        for (var each : others) {
          try (var same = old.at(each.port());
              var young = new ReflectingClient(each.port())) {
            assertThat(owner(same, "ZedRow")).isEqualTo(of("zed_row"));
            assertThat(owner(young, "Zed_2")).isEqualTo(of("zed"));
            assertThat(owner(young, "ZedRowRow_2")).isEqualTo(of("zed_row_row"));
          }
        }
      } finally {
        others.forEach(ExternalApiServer::close);
      }
    }
  }

  /** As a version before kept them: there, names were those that the catalog's order gave. */
  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void numbersAloneWereKept_knownTablesComeFirst(String kind) throws Exception {
    open(kind, create("zed_row"));
    try (var old = new ReflectingClient(database.port())) {
      assertThat(owner(old, "ZedRow")).isEqualTo(of("zed_row"));
      database.execute("delete from evita_field_numbers where field_number <= 0");
      database.restartAfter(create("zed"));
      try (var same = old.at(database.port())) {
        assertThat(owner(same, "ZedRow")).isEqualTo(of("zed_row"));
        assertThat(owner(same, "Zed_2")).isEqualTo(of("zed"));
      }
      assertThat(database.read("select count(*) from evita_field_numbers where field_number = 0"))
          .isEqualTo("2");
    }
  }

  /** Stored names remain, and new ones are assigned in order; the file contains a comment. */
  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgresql"})
  void readOnlyDatabase_storedNamesRemain(String kind) throws Exception {
    open(kind, create("zed_row"));
    try (var old = new ReflectingClient(database.port())) {
      assertThat(owner(old, "ZedRow")).isEqualTo(of("zed_row"));
      database.restartReadOnly();
      assertThat(proto()).contains("// Names of services and numbers of fields stay");
      database.change(create("zed"));
      try (var same = old.at(database.port())) {
        assertThat(owner(same, "ZedRow")).isEqualTo(of("zed_row"));
        assertThat(owner(same, "Zed_2")).isEqualTo(of("zed"));
      }
      assertThat(proto()).contains("// The database keeps no names of services and numbers");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgresql"})
  void readOnlyDatabase_namesAreByOrder(String kind) throws Exception {
    open(kind, create("zed_row"));
    database.restartReadOnly();
    try (var client = new ReflectingClient(database.port())) {
      assertThat(owner(client, "ZedRow")).isEqualTo(of("zed_row"));
    }
    database.change(create("zed"));
    try (var client = new ReflectingClient(database.port())) {
      assertThat(owner(client, "ZedRow_2")).isEqualTo(of("zed_row"));
      assertThat(owner(client, "Zed")).isEqualTo(of("zed"));
    }
    assertThat(proto()).contains("// The database keeps no names of services and numbers");
    assertThat(database.tables()).doesNotContain("evita_field_numbers");
  }

  /** A renamed table is a new one, unless the stored name is changed by hand. */
  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void renamedTable_hasANewName_orItsOldOne(String kind) throws Exception {
    open(kind, create("zed_row"));
    try (var old = new ReflectingClient(database.port())) {
      assertThat(owner(old, "ZedRow")).isEqualTo(of("zed_row"));
      var stored =
          database.read("select table_name from evita_field_numbers where field_number = 0");
      var renamed = stored.equals("ZED_ROW") ? "LINES" : "lines";
      database.change(
          "alter table " + quoted("zed_row") + " rename to " + quoted(renamed),
          "update evita_field_numbers set table_name = '%s' where table_name = '%s'"
              .formatted(renamed, stored));
      assertThat(owner(old, "ZedRow")).isEqualTo(of("zed_row"));
      assertThat(proto()).contains("// Table \"" + renamed + "\".\nservice ZedRow {");

      database.change("alter table " + quoted(renamed) + " rename to " + quoted("others"));
      assertThatThrownBy(() -> owner(old, "ZedRow")).hasMessageContaining("UNIMPLEMENTED");
      try (var young = new ReflectingClient(database.port())) {
        assertThat(owner(young, "Others")).isEqualTo(of("zed_row"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void paths_whereNamesAreKept_areSettledWhenTheyAreRead(String kind) throws Exception {
    open(kind, create("zed_row"));
    try (var old = new ReflectingClient(database.port())) {
      assertThat(owner(old, "ZedRow")).isEqualTo(of("zed_row"));
    }
    database.restartAfter(create("zed"));
    try (var client = new ReflectingClient(database.port())) {
      var health = HealthGrpc.newBlockingStub(client.channel());
      var known = HealthCheckRequest.newBuilder().setService(schema + ".ZedRow").build();
      assertThat(health.check(known).getStatus()).isEqualTo(ServingStatus.SERVING);
      var stranger = HealthCheckRequest.newBuilder().setService(schema + ".Zed").build();
      assertThatThrownBy(() -> health.check(stranger)).hasMessageContaining("NOT_FOUND");
      assertThatThrownBy(() -> client.callUnknown(schema + ".Zed/Get"))
          .hasMessageContaining("UNIMPLEMENTED");
      assertThat(answerToPreflight(database.server(), "ZedRow")).isEqualTo(204);
      assertThat(answerToPreflight(database.server(), "Zed")).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void file_namesThatProtobufCannotExpress_areInComments(String kind) throws Exception {
    open(
        kind,
        "create table \"Select\" (id integer primary key, \"-\" integer, \"Price\" integer)",
        "create table \"select\" (id integer primary key)",
        "create table \"😀\nservice Evil {}\" (id integer primary key)");
    assertThat(proto())
        .contains("// Table \"Select\".\nservice Select {")
        .contains("// Table \"select\".\nservice Select_2 {")
        .contains("// Table \"😀\uFFFDservice Evil {}\".\nservice FServiceEvil")
        .contains("  // Column \"-\".\n")
        .doesNotContain("Column \"Price\"", "Column \"id\"", "Column \"ID\"");
  }
}
