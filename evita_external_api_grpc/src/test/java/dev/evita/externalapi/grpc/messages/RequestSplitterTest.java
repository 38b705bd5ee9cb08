// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.util.JsonFormat;
import dev.evita.externalapi.grpc.generic.DatabaseProto;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RequestSplitterTest {

  private static final Descriptor QUERY = DatabaseProto.FILE.findMessageTypeByName("QueryRequest");

  private final RequestSplitter splitter =
      new RequestSplitter(field -> field.getContainingType().getName().equals("AnyValue"));

  private static byte[] bytes(String json) throws Exception {
    var message = DynamicMessage.newBuilder(QUERY);
    JsonFormat.parser().merge(json, message);
    return message.build().toByteArray();
  }

  private RequestShape.@Nullable Split split(byte[] request) {
    return splitter.split(this, QUERY, request);
  }

  private RequestShape.Split split(String json) throws Exception {
    var split = split(bytes(json));
    assertThat(split).isNotNull();
    return split;
  }

  private static String compare(String column, String operator, String value) {
    return "{\"compare\": {\"column\": \"%s\", \"operator\": \"%s\", \"value\": %s}}"
        .formatted(column, operator, value);
  }

  private static String query(String filter) {
    return "{\"table\": \"t\", \"columns\": [\"a\", \"b\"], \"filter\": %s, \"limit\": 3}"
        .formatted(filter);
  }

  @Test
  void requestsThatDifferInValuesAlone_haveOneShape() throws Exception {
    var first = split(query(compare("a", "EQ", "{\"int_value\": 1}")));
    var second = split(query(compare("a", "EQ", "{\"int_value\": 123456789012}")));
    assertThat(second.shape()).isEqualTo(first.shape()).hasSameHashCodeAs(first.shape());
    assertThat(first.values()).containsExactly(1L);
    assertThat(second.values()).containsExactly(123456789012L);
  }

  @Test
  void valuesAreInTheOrderOfTheRequest() throws Exception {
    var both =
        "{\"any_of\": {\"filters\": [%s, %s, {\"all_of\": {\"filters\": [%s]}}]}}"
            .formatted(
                compare("a", "EQ", "{\"string_value\": \"x\"}"),
                compare("b", "GT", "{\"double_value\": 1.5}"),
                compare("c", "EQ", "{\"int_value\": 7}"));
    assertThat(split(query(both)).values()).containsExactly("x", 1.5, 7L);
  }

  @Test
  void allElse_belongsToTheShape() throws Exception {
    var filter = compare("a", "EQ", "{\"int_value\": 1}");
    var shape = split(query(filter)).shape();
    for (var other :
        new String[] {
          query(compare("b", "EQ", "{\"int_value\": 1}")),
          query(compare("a", "GT", "{\"int_value\": 1}")),
          query(compare("a", "EQ", "{\"string_value\": \"1\"}")),
          query(compare("a", "EQ", "{}")),
          query("{\"none_of\": {\"filters\": [" + filter + "]}}"),
          query("{\"all_of\": {\"filters\": [" + filter + "]}}"),
          query(filter).replace("\"limit\": 3", "\"limit\": 4"),
          query(filter).replace("\"limit\": 3", "\"offset\": 3"),
          query(filter).replace("[\"a\", \"b\"]", "[\"a\"]"),
          query(filter).replace("[\"a\", \"b\"]", "[\"ab\"]"),
        }) {
      assertThat(split(other).shape()).as(other).isNotEqualTo(shape);
    }
    assertThat(splitter.split("another method", QUERY, bytes(query(filter))))
        .extracting(RequestShape.Split::shape)
        .isNotEqualTo(shape);
  }

  @Test
  void longList_isOneValue_ofAShortShape() throws Exception {
    var ids =
        IntStream.range(0, 3_000)
            .mapToObj(id -> "{\"int_value\": " + id + "}")
            .collect(Collectors.joining(","));
    var list = compare("a", "ONE_OF", "{\"array_value\": {\"values\": [%s]}}");
    var split = split(query(list.formatted(ids)));
    assertThat(split.values()).hasSize(1);
    assertThat(split.shape()).isEqualTo(split(query(list.formatted(""))).shape());
  }

  @Test
  void booleans_belongToTheShape() throws Exception {
    var isNull = split(query(compare("a", "IS_NULL", "{\"bool_value\": true}")));
    var isNot = split(query(compare("a", "IS_NULL", "{\"bool_value\": false}")));
    assertThat(isNull.values()).isEmpty();
    assertThat(isNull.shape()).isNotEqualTo(isNot.shape());
  }

  /** A nested message ends at its length, regardless of the following bytes. */
  @Test
  void endsOfMessages_belongToTheShape() throws Exception {
    var a = compare("a", "EQ", "{\"int_value\": 1}");
    var within =
        "{\"all_of\": {\"filters\": [{\"all_of\": {\"filters\": [" + a + ", " + a + "]}}]}}";
    var behind =
        "{\"all_of\": {\"filters\": [{\"all_of\": {\"filters\": [" + a + "]}}, " + a + "]}}";
    assertThat(split(query(within)).shape()).isNotEqualTo(split(query(behind)).shape());
  }

  @Test
  void unusualEncoding_isLeftToTheParser() throws Exception {
    var table = DynamicMessage.newBuilder(QUERY);
    table.setField(QUERY.findFieldByName("table"), "t");
    var limit = DynamicMessage.newBuilder(QUERY);
    limit.setField(QUERY.findFieldByName("limit"), 3L);
    assertThat(split(joined(table.build(), limit.build()))).isNotNull();
    assertThat(split(joined(limit.build(), table.build()))).as("descending").isNull();
    assertThat(split(joined(table.build(), table.build()))).as("twice").isNull();
    var unknown =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    assertThat(split(unknown.toByteArray())).as("unknown").isNull();
    var text = DynamicMessage.newBuilder(QUERY).setUnknownFields(filterOfText()).build();
    assertThat(split(text.toByteArray())).as("a number in place of a message").isNull();
    assertThat(split(new byte[] {0x0a, 0x7f})).as("cut off").isNull();
    assertThat(split(bytes("{\"table\": \"" + "t".repeat(5_000) + "\"}"))).as("long").isNull();
  }

  private static UnknownFieldSet filterOfText() {
    var number = QUERY.findFieldByName("filter").getNumber();
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
        .build();
  }

  @Test
  void textThatIsNotUtf8_isLeftToTheParser() throws Exception {
    var json = query(compare("a", "EQ", "{\"string_value\": \"QQ\"}"));
    var broken = bytes(json);
    var at = new String(broken, StandardCharsets.ISO_8859_1).indexOf("QQ");
    broken[at] = (byte) 0xff;
    assertThat(split(broken)).isNull();
  }

  private static byte[] joined(DynamicMessage... messages) throws Exception {
    var bytes = new ByteArrayOutputStream();
    for (var each : messages) {
      each.writeTo(bytes);
    }
    return bytes.toByteArray();
  }
}
