// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.evita.externalapi.grpc.proto.ColumnTest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of value for every type of column, right or wrong, read and written: whatever clients
 * send, the value is accepted or rejected with the reason; it never causes an internal error.
 */
@Tag("long")
@Timeout(300)
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql"})
final class EveryValueIT {

  private static final String DATABASE = "evita.v1.Database/";

  private static final List<String> ARRAYS =
      List.of(
          "{}",
          "{\"values\": [{}]}",
          "{\"values\": [{\"int_value\": 1}]}",
          "{\"values\": [{\"int_value\": 1}, {}, {\"string_value\": \"x\"}]}",
          "{\"values\": [{\"string_value\": \"1\"}, {\"string_value\": \"NaN\"}]}",
          "{\"values\": [{\"bytes_value\": \"AP8=\"}, {\"bool_value\": true}]}",
          "{\"values\": [{\"array_value\": {}}]}",
          "{\"values\": [{\"array_value\": {\"values\": [{\"int_value\": 1}]}}]}",
          "{\"values\": [{\"array_value\": {\"values\": [{\"int_value\": 1}]}}, {\"array_value\": {}}]}",
          "{\"values\": [{\"array_value\": {\"values\": [{\"int_value\": 1}]}}, {}]}",
          "{\"values\": [{\"array_value\": {\"values\": [{\"int_value\": 1}, {\"int_value\": 2}]}},"
              + " {\"int_value\": 3}]}");

  private static final List<String> SCALARS =
      List.of(
          "{}",
          "{\"bool_value\": true}",
          "{\"int_value\": 1}",
          "{\"int_value\": -9223372036854775808}",
          "{\"double_value\": 1.5}",
          "{\"double_value\": 1e308}",
          "{\"double_value\": \"NaN\"}",
          "{\"double_value\": \"-Infinity\"}",
          "{\"string_value\": \"\"}",
          "{\"string_value\": \"1\"}",
          "{\"string_value\": \"NaN\"}",
          "{\"string_value\": \"x\\u0000y\"}",
          "{\"string_value\": \"*(\"}",
          "{\"string_value\": \"{\\\"a\\\": 1}\"}",
          "{\"string_value\": \"2026-01-31\"}",
          "{\"string_value\": \"+999999999-01-01T00:00:00Z\"}",
          "{\"bytes_value\": \"\"}",
          "{\"bytes_value\": \"AP8=\"}");

  @Parameter private String kind = "";
  private GrpcServer server;
  private ReflectingClient client;
  private final List<String> faults = new ArrayList<>();
  private int taken;
  private int refused;

  @BeforeEach
  void serve() {
    server = GrpcServer.over(kind, AllTypes.script(kind));
    client = new ReflectingClient(server.port());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static List<String> values() {
    var values = new ArrayList<>(SCALARS);
    ARRAYS.forEach(array -> values.add("{\"array_value\": " + array + "}"));
    return values;
  }

  private List<String> columns() {
    return rowFields().stream().map(FieldDescriptor::getName).toList();
  }

  private String service() {
    return kind.equals("sqlite") ? "main.Kinds" : "public.Kinds";
  }

  private List<FieldDescriptor> rowFields() {
    return client.file(service()).findMessageTypeByName("KindsRow").getFields();
  }

  private void call(String method, String json) {
    try {
      client.stream(method, json);
      taken++;
    } catch (StatusRuntimeException e) {
      refused++;
      var status = e.getStatus();
      if (status.getCode() == Status.Code.INTERNAL || status.getCode() == Status.Code.UNKNOWN) {
        faults.add(method + " " + json + ": " + status.getDescription());
      }
    }
  }

  private void assertNoFaults() {
    assertThat(faults.stream().limit(200)).isEmpty();
    assertThat(taken).isGreaterThan(columns().size());
    assertThat(refused).isGreaterThan(columns().size());
  }

  @Test
  void query_everyOperator_ofEveryColumn() {
    for (var column : columns()) {
      for (int operator = 0; operator <= ColumnTest.values().length + 1; operator++) {
        var begin =
            "{\"table\": \"kinds\", \"columns\": [\"id\"], \"filter\": {\"compare\": {\"column\": \""
                + column
                + "\", \"operator\": "
                + operator;
        call(DATABASE + "Query", begin + "}}}");
        for (var value : values()) {
          call(DATABASE + "Query", begin + ", \"value\": " + value + "}}}");
        }
      }
    }
    assertNoFaults();
  }

  @Test
  void mutate_everyValue_ofEveryColumn() {
    for (var column : columns()) {
      for (var value : values()) {
        call(
            DATABASE + "Mutate",
            "{\"update\": {\"table\": \"kinds\", \"set\": [{\"column\": \"%s\", \"value\": %s}],"
                    .formatted(column, value)
                + " \"returning\": [\"id\"], \"filter\": {\"compare\": {\"column\": \"id\","
                + " \"operator\": \"EQ\", \"value\": {\"int_value\": 2}}}}}");
        call(
            DATABASE + "Mutate",
            "{\"insert\": {\"table\": \"kinds\", \"columns\": [\"%s\"], \"rows\": [{\"values\": [%s]}]}}"
                .formatted(column, value));
      }
    }
    assertNoFaults();
  }

  /** Values of a message's field. */
  private static List<String> values(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case BOOLEAN -> List.of("true", "false");
      case INT -> List.of("0", "-2147483648", "2147483647");
      case LONG -> List.of("0", "\"-9223372036854775808\"");
      case FLOAT, DOUBLE -> List.of("0", "1.5", "3e38", "\"NaN\"", "\"-Infinity\"");
      case BYTE_STRING -> List.of("\"\"", "\"AP8=\"");
      case STRING ->
          SCALARS.stream()
              .filter(value -> value.contains("string_value"))
              .map(value -> value.substring(value.indexOf(':') + 1, value.length() - 1))
              .toList();
      case MESSAGE ->
          field.getMessageType().getName().equals("AnyArray")
              ? ARRAYS
              : values(field.getMessageType().findFieldByNumber(1)).stream()
                  .map(value -> "{\"values\": [" + value + "]}")
                  .toList();
      case ENUM -> throw new IllegalArgumentException(field.getFullName());
    };
  }

  @Test
  void scan_everyComparison_ofEveryColumn() {
    var filter = client.file(service()).findMessageTypeByName("KindsFilter");
    for (var column : rowFields()) {
      for (var test : filter.findFieldByName(column.getName()).getMessageType().getFields()) {
        for (var value : values(test)) {
          call(
              service() + "/Scan",
              "{\"columns\": [\"id\"], \"filter\": {\"%s\": {\"%s\": %s}}}"
                  .formatted(column.getName(), test.getName(), value));
        }
      }
    }
    assertNoFaults();
  }

  @Test
  void update_everyValue_ofEveryColumn() {
    // Another value for the key, the first column, and the row has gone.
    for (var column : rowFields().reversed()) {
      for (var value : values(column)) {
        var row = "\"row\": {\"%s\": %s}".formatted(column.getName(), value);
        call(service() + "/Update", "{\"key\": {\"id\": 2}, " + row + "}");
        call(service() + "/Insert", "{" + row + "}");
      }
    }
    assertNoFaults();
  }
}
