// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.grpc.ChangingDatabase;
import dev.evita.externalapi.grpc.ReflectingClient;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An old client, which has learnt the messages once, talks to schemas that change under it. */
@Timeout(120)
final class FieldNumbersIT {

  @TempDir Path directory;
  private ChangingDatabase shop;
  private String schema;

  private void open(String kind) throws SQLException {
    shop =
        new ChangingDatabase(
            kind,
            directory,
            "create table items (id integer primary key, name varchar(20), price integer,"
                + " stock integer, note varchar(20))",
            "insert into items values (1, 'Anvil', 10, 5, 'heavy')");
    schema = shop.schema();
  }

  @AfterEach
  void close() throws SQLException {
    shop.close();
  }

  private String get(ReflectingClient client) {
    return plain(client.call(schema + ".Items/Get", "{\"key\": {\"id\": 1}}"));
  }

  /** All integers of SQLite have 64 bits, which JSON has as strings. */
  private static String plain(String json) {
    return json.replaceAll("\"(\\d+)\"", "$1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void oldClient_changedSchema(String kind) throws Exception {
    open(kind);
    try (var old = new ReflectingClient(shop.port())) {
      var before = "{\"id\":1,\"name\":\"Anvil\",\"price\":10,\"stock\":5,\"note\":\"heavy\"}";
      assertThat(get(old)).isEqualTo(before);

      shop.change("alter table items add column colour varchar(20)");
      assertThat(get(old)).isEqualTo(before);

      shop.change("alter table items rename column name to title");
      assertThat(get(old)).isEqualTo(before);

      shop.change("alter table items drop column stock");
      var without = "{\"id\":1,\"name\":\"Anvil\",\"price\":10,\"note\":\"heavy\"}";
      assertThat(get(old)).isEqualTo(without);

      // Of the dropped one's type, but its number stays free.
      shop.change("alter table items add column weight integer default 3");
      assertThat(get(old)).isEqualTo(without);

      // What an old client writes arrives in the columns that it means, or is refused.
      assertThat(
              plain(
                  old.call(
                      schema + ".Items/Insert",
                      "{\"row\": {\"id\": 2, \"name\": \"Bolt\", \"note\": \"light\"}}")))
          .isEqualTo("{\"id\":2,\"name\":\"Bolt\",\"note\":\"light\"}");
      assertThatThrownBy(() ->
              old.call(
                  schema + ".Items/Insert",
                  "{\"row\": {\"id\": 3, \"name\": \"Crane\", \"stock\": 1}}"))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> {
                assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                assertThat(e.getStatus().getDescription())
                    .contains("ItemsRow has no field of number 4 (any more)");
              });
      var bolts =
          old.stream(schema + ".Items/Scan", "{\"filter\": {\"name\": {\"eq\": \"Bolt\"}}}");
      assertThat(bolts.stream().map(FieldNumbersIT::plain))
          .containsExactly("{\"id\":2,\"name\":\"Bolt\",\"note\":\"light\"}");

      // Reordered: the table is built anew with its columns the other way round.
      shop.execute(
          "create table other (weight integer, colour varchar(20), note varchar(20), price integer,"
              + " title varchar(20), id integer primary key)");
      shop.execute(
          "insert into other (id, title, price, note, colour, weight)"
              + " select id, title, price, note, colour, weight from items");
      shop.execute("drop table items");
      shop.change("alter table other rename to items");
      assertThat(get(old)).isEqualTo(without);
    }
    shop.restartAfter();
    try (var young = new ReflectingClient(shop.port())) {
      assertThat(get(young))
          .isEqualTo("{\"id\":1,\"title\":\"Anvil\",\"price\":10,\"note\":\"heavy\",\"weight\":3}");
      var row = young.file(schema + ".Items").findMessageTypeByName("ItemsRow");
      assertThat(row.findFieldByName("title").getNumber()).isEqualTo(2);
      assertThat(row.findFieldByName("weight").getNumber()).isGreaterThan(5);
      assertThat(row.toProto().getReservedRange(0).getStart()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void columnRenamedWhileNoServerRan_keepsItsNumber(String kind) throws Exception {
    open(kind);
    try (var first = new ReflectingClient(shop.port())) {
      assertThat(get(first)).contains("Anvil");
    }
    shop.restartAfter(
        "alter table items rename column name to title",
        "alter table items add column colour varchar(20)");
    try (var client = new ReflectingClient(shop.port())) {
      assertThat(get(client)).contains("\"title\":\"Anvil\"");
      var row = client.file(schema + ".Items").findMessageTypeByName("ItemsRow");
      assertThat(row.findFieldByName("title").getNumber()).isEqualTo(2);
      assertThat(row.findFieldByName("colour").getNumber()).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void severalServersAtOnce_sameNumbers(String kind) throws Exception {
    open(kind);
    var others =
        IntStream.range(0, kind.equals("h2") ? 2 : 4).mapToObj(i -> shop.another()).toList();
    try {
      var answers =
          others.parallelStream()
              .map(each -> {
                try (var client = new ReflectingClient(each.port())) {
                  return get(client);
                }
              })
              .toList();
      try (var client = new ReflectingClient(shop.port())) {
        assertThat(answers).containsOnly(get(client));
      }
    } finally {
      others.forEach(ExternalApiServer::close);
    }
    assertThat(shop.read("select count(*) from evita_field_numbers where field_number > 0"))
        .isEqualTo("5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void noMessageIsRead_nothingIsStored(String kind) throws Exception {
    open(kind);
    assertThat(shop.tables()).doesNotContain("evita_field_numbers");
    try (var client = new ReflectingClient(shop.port())) {
      assertThatThrownBy(() -> client.callUnknown("nowhere.At/All"))
          .hasMessageContaining("UNIMPLEMENTED");
      assertThat(shop.tables()).doesNotContain("evita_field_numbers");
      assertThat(get(client)).contains("Anvil");
      assertThat(shop.tables()).contains("evita_field_numbers");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgresql"})
  void readOnlyDatabase_isServed(String kind) throws Exception {
    open(kind);
    shop.restartReadOnly();
    try (var client = new ReflectingClient(shop.port())) {
      assertThat(get(client)).contains("\"name\":\"Anvil\"");
    }
  }
}
