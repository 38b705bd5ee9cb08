// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lists can have in them, where databases have such. */
@Timeout(60)
final class ArrayValuesIT {

  private static final String DATABASE = "evita.v1.Database/";

  private static final String LISTS_AND_VALUES =
      "{\"values\": [{\"array_value\": {\"values\": [{\"int_value\": 1}, {\"int_value\": 2}]}},"
          + " {\"int_value\": 3}]}";

  private GrpcServer server;
  private ReflectingClient client;

  private void serve(String kind) {
    server = GrpcServer.over(kind, AllTypes.script(kind));
    client = new ReflectingClient(server.port());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** Others have no exact numbers that are none. */
  @Test
  void arrays_ofDecimals_haveThemAllAsStrings() {
    serve("postgresql");
    var exacts = "{\"values\":[{\"string_value\":\"1.50\"},{\"string_value\":\"NaN\"},{}]}";
    assertThat(
            client.call(
                "public.Kinds/Update",
                "{\"key\": {\"id\": 2}, \"row\": {\"exacts\": " + exacts + "}}"))
        .contains("\"exacts\":" + exacts);
    assertThat(
            client.stream(DATABASE + "Query", "{\"table\": \"kinds\", \"columns\": [\"exacts\"]}"))
        .last()
        .asString()
        .contains("{\"array_value\":" + exacts + "}");
    client.call("public.Kinds/Update", "{\"key\": {\"id\": 2}, \"row\": {\"exact\": \"NaN\"}}");
    assertThat(
            client.stream(DATABASE + "Query", "{\"table\": \"kinds\", \"columns\": [\"exact\"]}"))
        .last()
        .asString()
        .contains("{\"string_value\":\"NaN\"}");
  }

  /** SQLite has no arrays. */
  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void arrays_ofListsAndValues_areRejected(String kind) {
    serve(kind);
    assertThatThrownBy(() ->
            client.call(
                DATABASE + "Mutate",
                "{\"insert\": {\"table\": \"kinds\", \"columns\": [\"numbers\"], \"rows\":"
                    + " [{\"values\": [{\"array_value\": %s}]}]}}".formatted(LISTS_AND_VALUES)))
        .hasMessageContaining("INVALID_ARGUMENT: rows[0].numbers: 'values { array_value {")
        .hasMessageContaining("has lists beside values; expected one of both");
    assertThatThrownBy(() ->
            client.call(
                DATABASE + "Mutate",
                "{\"update\": {\"table\": \"kinds\", \"all_rows\": true, \"set\": [{\"column\":"
                    + " \"numbers\", \"value\": {\"int_value\": 7}}]}}"))
        .hasMessageContaining(
            "INVALID_ARGUMENT: numbers: the number 7 is not valid here; expected a list, each an"
                + " integer");
  }
}
