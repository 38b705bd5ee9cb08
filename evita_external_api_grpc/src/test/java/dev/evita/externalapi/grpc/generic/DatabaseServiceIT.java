// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DynamicMessage;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.grpc.GrpcProvider;
import dev.evita.externalapi.grpc.ReflectingClient;
import dev.evita.testsupport.PostgresServer;
import io.grpc.Status;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The service for any database, over each of them. */
@Timeout(120)
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql"})
final class DatabaseServiceIT {

  private static final String DATABASE = "evita.v1.Database/";

  @TempDir Path directory;
  @Parameter private String kind = "";
  private Connection database;
  private JdbcEngine engine;
  private ExternalApiServer server;
  private ReflectingClient client;

  @BeforeEach
  void open() throws SQLException {
    var url =
        switch (kind) {
          case "h2" -> "jdbc:h2:" + directory.resolve("shop");
          case "sqlite" -> "jdbc:sqlite:" + directory.resolve("shop.db");
          default -> PostgresServer.start().createDatabase();
        };
    database = DriverManager.getConnection(url);
    execute("create table brands (id integer primary key, name varchar(20) not null)");
    execute(
        "create table items (id integer primary key, name varchar(20), price numeric(10, 2),"
            + " brand_id integer references brands)");
    execute("insert into brands values (1, 'Acme')");
    execute("insert into items values (1, 'Anvil', 12.75, 1), (2, 'Bolt', null, null)");
    engine = JdbcEngine.open(url);
    serve(Limits.DEFAULT);
  }

  private void serve(Limits limits) {
    server =
        ExternalApiServer.over(engine)
            .options(ServerOptions.DEFAULT.toBuilder().port(0).limits(limits).build())
            .provider(new GrpcProvider())
            .withoutDiscovery()
            .start();
    client = new ReflectingClient(server.port());
  }

  private void execute(String sql) throws SQLException {
    try (var statement = database.createStatement()) {
      statement.execute(sql);
    }
  }

  private String names() throws SQLException {
    var names = new StringBuilder();
    try (var statement = database.createStatement();
        var rows = statement.executeQuery("select name from items order by id")) {
      while (rows.next()) {
        names.append(rows.getString(1)).append(' ');
      }
    }
    return names.toString().strip();
  }

  @AfterEach
  void close() throws SQLException {
    client.close();
    server.close();
    engine.close();
    database.close();
  }

  /** SQLite integers have 64 bits and are therefore strings in JSON, as are those of a Value. */
  private static String plain(String json) {
    return json.replaceAll("\"(\\d+)\"", "$1");
  }

  private List<String> query(String json) {
    return client.stream(DATABASE + "Query", json).stream()
        .map(DatabaseServiceIT::plain)
        .map(message -> message.replaceAll("\"columns\":\\[.*?\\],", ""))
        .toList();
  }

  @Test
  void catalog_tablesAndRelationships() {
    assertThat(client.call(DATABASE + "Catalog", "{}"))
        .contains("\"name\":\"items\"", "\"primary_key\":[\"id\"]")
        .contains("\"name\":\"brand\",\"columns\":[\"brand_id\"]", "\"type\":\"DECIMAL\"")
        .doesNotContain("evita_field_numbers");
    assertThatThrownBy(() -> client.call(DATABASE + "Catalog", "{\"schema\": \"nowhere\"}"))
        .hasMessageContaining("NOT_FOUND: There is no schema 'nowhere'; there are ");
  }

  @Test
  void query_rowsAsTypedValues() {
    assertThat(
            client.stream(DATABASE + "Query", "{\"table\": \"items\", \"columns\": [\"name\"]}")
                .getFirst())
        .startsWith("{\"columns\":[{\"name\":\"name\",\"type\":\"TEXT\"");
    assertThat(query("{\"table\": \"items\", \"order\": [{\"column\": \"id\"}]}"))
        .containsExactly(
            "{\"rows\":[{\"values\":[{\"int_value\":1},{\"string_value\":\"Anvil\"},"
                + "{\"string_value\":\"12.75\"},{\"int_value\":1}]},"
                + "{\"values\":[{\"int_value\":2},{\"string_value\":\"Bolt\"},{},{}]}]}");
  }

  @Test
  void query_filters() {
    var items = "{\"table\": \"items\", \"columns\": [\"name\"], \"filter\": ";
    assertThat(
            query(
                items
                    + "{\"any_of\": {\"filters\": [{\"compare\": {\"column\": \"id\", \"operator\":"
                    + " \"ONE_OF\", \"value\": {\"array_value\": {\"values\": [{\"int_value\": 2}]}}}},"
                    + " {\"compare\": {\"column\": \"price\", \"operator\": \"GT\", \"value\":"
                    + " {\"string_value\": \"99\"}}}]}}}"))
        .containsExactly("{\"rows\":[{\"values\":[{\"string_value\":\"Bolt\"}]}]}");
    assertThat(
            query(
                items
                    + "{\"related\": {\"relationship\": \"brand\", \"filter\": {\"compare\":"
                    + " {\"column\": \"name\", \"operator\": \"LIKE\", \"value\": {\"string_value\":"
                    + " \"A%\"}}}}}}"))
        .containsExactly("{\"rows\":[{\"values\":[{\"string_value\":\"Anvil\"}]}]}");
    assertThat(
            query(
                items
                    + "{\"compare\": {\"column\": \"price\", \"operator\": \"IS_NULL\"}}, \"limit\": 1}"))
        .containsExactly("{\"rows\":[{\"values\":[{\"string_value\":\"Bolt\"}]}]}");
  }

  @Test
  void query_mistakes() {
    assertThatThrownBy(() -> query("{\"table\": \"itmes\"}"))
        .hasMessageContaining("NOT_FOUND: There is no table 'itmes'");
    assertThatThrownBy(() -> query("{\"table\": \"items\", \"columns\": [\"x\"]}"))
        .hasMessageContaining("INVALID_ARGUMENT: 'x' is no column of items; expected one of id,");
    assertThatThrownBy(() -> query("{\"table\": \"items\", \"limit\": -1}"))
        .hasMessageContaining("limit is -1");
    assertThatThrownBy(() ->
            query(
                "{\"table\": \"items\", \"filter\": {\"compare\": {\"column\": \"id\","
                    + " \"operator\": \"EQ\", \"value\": {\"string_value\": \"one\"}}}}"))
        .hasMessageContaining("INVALID_ARGUMENT: id: 'one' is not valid here");
  }

  private static String compare(String column, String operator, String value) {
    return "{\"compare\": {\"column\": \"%s\", \"operator\": %s%s}}"
        .formatted(column, operator, value.isEmpty() ? "" : ", \"value\": " + value);
  }

  private void assertRefused(String filter, String message) {
    assertThatThrownBy(() -> query("{\"table\": \"items\", \"filter\": " + filter + "}"))
        .hasMessageContaining("INVALID_ARGUMENT: " + message);
  }

  @Test
  void query_tautologies() {
    assertRefused(
        compare("id", "\"EQ\"", ""),
        "id: EQ has no value, and nothing compares with null; use IS_NULL");
    assertRefused(compare("id", "\"NE\"", "{}"), "id: NE has no value");
    assertRefused(
        compare("id", "\"ONE_OF\"", "{\"int_value\": 5}"),
        "id: the number 5 is not valid here; expected a list, each an integer");
    assertRefused(compare("id", "\"ONE_OF\"", ""), "id: the list is missing");
    assertRefused(
        compare("id", "\"IS_NULL\"", "{\"int_value\": 1}"),
        "id: the number 1 is not valid here; expected true or false");
    assertRefused(
        compare("id", "\"EQ\"", "{\"array_value\": {}}"),
        "id: a list is not valid here; expected an integer");
    assertRefused(compare("id", "0", ""), "The comparison of 'id' has no operator");
    assertRefused(
        compare("id", "77", "{\"int_value\": 1}"),
        "Comparison.operator is 77; expected one of 0 (OPERATOR_UNKNOWN), 1 (EQ), 2 (NE)");
    assertThatThrownBy(
            () -> query("{\"table\": \"items\", \"order\": [{\"column\": \"id\", \"nulls\": 7}]}"))
        .hasMessageContaining("OrderTerm.nulls is 7; expected one of 0 (NULLS_DEFAULT), 1 ");
  }

  /** Deletes nothing, by a filter of an even number of levels. */
  private DynamicMessage deleteByDeepFilter(int levels) {
    var file = DatabaseProto.FILE;
    var type = file.findMessageTypeByName("Filter");
    var list = file.findMessageTypeByName("FilterList");
    var filter = DynamicMessage.newBuilder(type).build();
    for (int i = 1; i < levels; i++) {
      var filters =
          DynamicMessage.newBuilder(list)
              .addRepeatedField(list.findFieldByName("filters"), filter)
              .build();
      filter =
          DynamicMessage.newBuilder(type)
              .setField(type.findFieldByName("none_of"), filters)
              .build();
    }
    var delete = file.findMessageTypeByName("Delete");
    var request = file.findMessageTypeByName("MutateRequest");
    return DynamicMessage.newBuilder(request)
        .setField(
            request.findFieldByName("delete"),
            DynamicMessage.newBuilder(delete)
                .setField(delete.findFieldByName("table"), "items")
                .setField(delete.findFieldByName("filter"), filter)
                .build())
        .build();
  }

  @Test
  void filters_areAsDeepAsAllowed() {
    var depth = Limits.DEFAULT.maxDepth();
    assertThat(ReflectingClient.text(client.call(DATABASE + "Mutate", deleteByDeepFilter(depth))))
        .isIn("{}", "{\"affected\":\"0\"}");
    for (var levels : List.of(depth + 1, 3 * depth, 10 * depth)) {
      assertThatThrownBy(() -> client.call(DATABASE + "Mutate", deleteByDeepFilter(levels)))
          .hasMessageStartingWith("INVALID_ARGUMENT: The ")
          .hasMessageContaining("max-depth");
    }
  }

  @Test
  void mutate_filterThatMatchesAllRows_isRejected() throws SQLException {
    var none = compare("id", "\"NOT_ONE_OF\"", "{\"array_value\": {}}");
    for (var filter :
        List.of(
            "{}",
            "{\"all_of\": {}}",
            "{\"none_of\": {}}",
            "{\"all_of\": {\"filters\": [{}]}}",
            "{\"any_of\": {\"filters\": [{}, %s]}}"
                .formatted(compare("id", "\"EQ\"", "{\"int_value\": 1}")),
            "{\"none_of\": {\"filters\": [{\"any_of\": {}}]}}",
            none,
            "{\"all_of\": {\"filters\": [%s, {}]}}".formatted(none))) {
      var table = "{\"table\": \"items\", \"filter\": " + filter;
      assertThatThrownBy(() -> client.call(DATABASE + "Mutate", "{\"delete\": " + table + "}}"))
          .describedAs(filter)
          .hasMessageContaining("INVALID_ARGUMENT")
          .hasMessageContaining("set all_rows if all rows are meant");
      assertThatThrownBy(() ->
              client.call(
                  DATABASE + "Mutate",
                  "{\"update\": " + table + ", \"set\": [{\"column\": \"name\"}]}}"))
          .hasMessageContaining("set all_rows");
    }
    assertThat(names()).isEqualTo("Anvil Bolt");
    assertThat(
            client.call(
                DATABASE + "Mutate",
                "{\"delete\": {\"table\": \"items\", \"filter\": {\"any_of\": {}}}}"))
        .isIn("{}", "{\"affected\":\"0\"}");
    assertThat(
            client.call(
                DATABASE + "Mutate",
                "{\"delete\": {\"table\": \"items\", \"all_rows\": true, \"filter\":"
                    + " {\"all_of\": {}}}}"))
        .isEqualTo("{\"affected\":\"2\"}");
  }

  private static String insert(int id, String name) {
    return "{\"insert\": {\"table\": \"items\", \"columns\": [\"id\", \"name\"], \"rows\": [{\"values\":"
        + " [{\"int_value\": %d}, {\"string_value\": \"%s\"}]}]}}".formatted(id, name);
  }

  private static String mutate(String mutation) {
    return "{\"mutate\": " + mutation + "}";
  }

  @Test
  void mutate_insertUpdateDelete() throws SQLException {
    assertThat(client.call(DATABASE + "Mutate", insert(3, "Crane")))
        .isEqualTo("{\"affected\":\"1\"}");
    assertThat(
            plain(
                client.call(
                    DATABASE + "Mutate",
                    "{\"update\": {\"table\": \"items\", \"set\": [{\"column\": \"name\", \"value\":"
                        + " {\"string_value\": \"Drill\"}}, {\"column\": \"price\"}], \"returning\":"
                        + " [\"name\", \"price\"], \"filter\": {\"compare\": {\"column\": \"id\","
                        + " \"operator\": \"GTE\", \"value\": {\"int_value\": 3}}}}}")))
        .startsWith("{\"affected\":1,\"columns\":[{\"name\":\"name\"")
        .endsWith("\"rows\":[{\"values\":[{\"string_value\":\"Drill\"},{}]}]}");
    assertThatThrownBy(
            () -> client.call(DATABASE + "Mutate", "{\"delete\": {\"table\": \"items\"}}"))
        .hasMessageContaining("There is no filter; set all_rows");
    assertThat(
            client.call(
                DATABASE + "Mutate",
                "{\"insert\": {\"table\": \"items\", \"columns\": [\"id\", \"name\"], \"rows\":"
                    + " [{\"values\": [{\"int_value\": 1}, {\"string_value\": \"Axe\"}]}],"
                    + " \"on_conflict\": {\"key\": [\"id\"], \"update\": [\"name\"]}}}"))
        .isEqualTo("{\"affected\":\"1\"}");
    assertThat(names()).isEqualTo("Axe Bolt Drill");
    assertThat(
            client.call(
                DATABASE + "Mutate", "{\"delete\": {\"table\": \"items\", \"all_rows\": true}}"))
        .isEqualTo("{\"affected\":\"3\"}");
  }

  @Test
  void transaction_commits() throws Exception {
    var talk = client.converse(DATABASE + "Transaction");
    assertThat(talk.send(mutate(insert(3, "Crane"))).next())
        .isEqualTo("{\"mutate\":{\"affected\":\"1\"},\"done\":true}");
    assertThat(
            talk.send(
                    "{\"query\": {\"table\": \"items\", \"columns\": [\"name\"], \"filter\":"
                        + " {\"compare\": {\"column\": \"id\", \"operator\": \"EQ\", \"value\":"
                        + " {\"int_value\": 3}}}}}")
                .next())
        .asString()
        .endsWith("\"rows\":[{\"values\":[{\"string_value\":\"Crane\"}]}]},\"done\":true}");
    if (!kind.equals("sqlite")) {
      assertThat(names()).isEqualTo("Anvil Bolt"); // nobody else sees it yet
    }
    assertThat(talk.send("{\"commit\": {}}").next()).isEqualTo("{\"done\":true}");
    assertThat(talk.next()).isEqualTo(Status.OK);
    assertThat(names()).isEqualTo("Anvil Bolt Crane");
  }

  @Test
  void transaction_thatFails_keepsNothing() throws Exception {
    var talk = client.converse(DATABASE + "Transaction");
    talk.send(mutate(insert(3, "Crane"))).next();
    var status = (Status) talk.send(mutate(insert(1, "again"))).next();
    assertThat(status.getCode()).isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(names()).isEqualTo("Anvil Bolt");
  }

  @Test
  void transaction_rolledBack_abandonedOrCancelled_keepsNothing() throws Exception {
    var talk = client.converse(DATABASE + "Transaction");
    talk.send(mutate(insert(3, "Crane"))).next();
    assertThat(talk.send("{\"rollback\": {}}").next()).isEqualTo("{\"done\":true}");
    assertThat(talk.next()).isEqualTo(Status.OK);

    var abandoned = client.converse(DATABASE + "Transaction");
    abandoned.send(mutate(insert(3, "Crane"))).next();
    abandoned.end();
    var status = (Status) abandoned.next();
    assertThat(status.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(status.getDescription()).contains("without commit");

    var cancelled = client.converse(DATABASE + "Transaction");
    cancelled.send(mutate(insert(3, "Crane"))).next();
    cancelled.cancel();

    // The next transaction does not wait for their locks.
    assertThat(client.call(DATABASE + "Mutate", insert(3, "Drill")))
        .isEqualTo("{\"affected\":\"1\"}");
    assertThat(names()).isEqualTo("Anvil Bolt Drill");
  }

  @Test
  void transaction_mistakes() throws Exception {
    var empty = (Status) client.converse(DATABASE + "Transaction").send("{}").next();
    assertThat(empty.getDescription()).contains("request is empty");
    var talk = client.converse(DATABASE + "Transaction");
    talk.send("{\"begin\": {\"isolation\": \"SERIALIZABLE\"}}").next();
    var twice = (Status) talk.send("{\"begin\": {}}").next();
    assertThat(twice.getDescription()).contains("already open");
    if (!kind.equals("sqlite")) {
      var reading = client.converse(DATABASE + "Transaction");
      assertThat(reading.send("{\"begin\": {\"read_only\": true}}").next())
          .isEqualTo("{\"done\":true}");
      var written = (Status) reading.send(mutate(insert(3, "Crane"))).next();
      assertThat(written.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    }
  }

  @Test
  void transaction_ofAnIdleClient_isRolledBack() throws Exception {
    client.close();
    server.close();
    serve(Limits.builder().requestTimeout(Duration.ofSeconds(1)).build());
    var talk = client.converse(DATABASE + "Transaction");
    talk.send(mutate(insert(3, "Crane"))).next();
    var status = (Status) talk.next();
    assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(status.getDescription()).contains("request-timeout");
    assertThat(names()).isEqualTo("Anvil Bolt");
  }
}
