// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.util.JsonFormat;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.grpc.tables.TableMethods;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests of a cached shape are not parsed. They have the responses of the same requests with
 * their fields in another order, which always are.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RequestShapesIT {

  private JdbcEngine engine;
  private ExternalApiServer server;
  private ReflectingClient client;

  @BeforeAll
  void start() throws Exception {
    var url = "jdbc:h2:mem:" + UUID.randomUUID();
    engine = JdbcEngine.open(url);
    try (var database = DriverManager.getConnection(url);
        var statement = database.createStatement()) {
      statement.execute(
          """
          create table parents (b int, a int, name varchar(40), primary key (a, b));
          create table items (
            id bigint primary key, name varchar(40), price numeric(10, 2), weight real,
            ratio double precision, sold boolean, bytes varbinary(10), made date,
            tags varchar(20) array, about json, code uuid, a int, b int,
            foreign key (a, b) references parents (a, b));
          create table lines (line varchar(40));
          insert into parents select x / 5, mod(x, 5), 'parent ' || x from system_range(0, 24);
          insert into items select x, 'item ' || mod(x, 7), x * 1.25, x * 0.5, x * 0.1,
            mod(x, 2) = 0, cast(char(65 + mod(x, 3)) as varbinary), dateadd(day, mod(x, 5), date '2026-01-01'),
            array['t' || mod(x, 4)], json '{"x": 1}',
            cast('00000000-0000-0000-0000-00000000000' || mod(x, 10) as uuid), mod(x, 5), mod(x / 5, 5)
            from system_range(1, 60);
          insert into lines select 'line ' || x from system_range(1, 30)
          """);
    }
    engine.refresh();
    server = ExternalApiServer.over(engine).provider(new GrpcProvider()).start();
    client = new ReflectingClient(server.port());
  }

  @AfterAll
  void stop() throws Exception {
    client.close();
    server.close();
    engine.close();
  }

  /** A method, a request with {@code %s} in place of a value, and values. */
  record Shape(String method, String request, List<String> values) {

    static Shape of(String method, String request, String... values) {
      return new Shape(method, request, List.of(values));
    }

    static Shape scan(String filter, String... values) {
      return of(
          "public.Items/Scan",
          "{\"filter\": {" + filter + "}, \"columns\": [\"id\", \"name\", \"price\"]}",
          values);
    }

    static Shape query(String table, String filter, String... values) {
      return of(
          "evita.v1.Database/Query",
          "{\"table\": \"" + table + "\", \"filter\": " + filter + ", \"limit\": 40}",
          values);
    }

    static Shape compare(String column, String operator, String field, String... values) {
      return query(
          "items",
          "{\"compare\": {\"column\": \"%s\", \"operator\": \"%s\", \"value\": {\"%s\": %%s}}}"
              .formatted(column, operator, field),
          values);
    }
  }

  static List<Shape> shapes() {
    return List.of(
        Shape.of(
            "public.Items/Get",
            "{\"key\": {\"id\": %s}, \"columns\": [\"id\", \"about\", \"tags\"]}",
            "1",
            "2",
            "60",
            "61",
            "-1"),
        Shape.of(
            "public.Parents/Get",
            "{\"key\": {\"a\": %s}, \"columns\": [\"name\"]}",
            "1, \"b\": 2",
            "2, \"b\": 1",
            "3, \"b\": 3",
            "1"),
        Shape.scan("\"id\": {\"lt\": %s}", "3", "5", "0"),
        Shape.scan("\"id\": {\"gt\": 50, \"lt\": %s}", "53", "58"),
        Shape.scan("\"id\": {\"one_of\": {\"values\": [%s]}}", "1, 2", "3", "", "9, 8, 7"),
        Shape.scan("\"id\": {\"not_one_of\": {\"values\": [%s]}}", "1, 2", "3"),
        Shape.scan("\"name\": {\"like\": %s}", "\"%%1\"", "\"%%2\"", "\"\"", "\"\\u00e9\""),
        Shape.scan("\"name\": {\"not_like\": \"%%1\", \"eq\": %s}", "\"item 1\"", "\"item 2\""),
        Shape.scan("\"name\": {\"is_null\": %s}", "true", "false", "true"),
        Shape.scan("\"price\": {\"gte\": %s}", "\"70\"", "\"72.5\"", "\"x\"", "\"1e1\""),
        Shape.scan("\"weight\": {\"eq\": %s}", "0.5", "1.5", "0"),
        Shape.scan("\"ratio\": {\"lt\": %s}", "0.5", "0.75", "\"NaN\""),
        Shape.scan("\"sold\": {\"eq\": %s}", "true", "false"),
        Shape.scan("\"bytes\": {\"eq\": %s}", "\"QQ==\"", "\"Qg==\"", "\"\""),
        Shape.scan("\"made\": {\"eq\": %s}", "\"2026-01-02\"", "\"2026-01-03\"", "\"2026-13-01\""),
        Shape.scan(
            "\"tags\": {\"contains\": {\"values\": [%s]}}",
            "{\"string_value\": \"t1\"}",
            "{\"string_value\": \"t2\"}",
            "{\"string_value\": \"t1\"}, {\"string_value\": \"t2\"}"),
        Shape.scan(
            "\"code\": {\"eq\": %s}",
            "\"00000000-0000-0000-0000-000000000001\"",
            "\"00000000-0000-0000-0000-000000000002\"",
            "\"?\""),
        Shape.scan(
            "\"any_of\": {\"filters\": [{\"id\": {\"eq\": %s}}, {\"name\": {\"eq\": \"item 3\"}}]}",
            "1", "2"),
        Shape.scan("\"none_of\": {\"filters\": [{\"id\": {\"gt\": %s}}]}", "1", "2"),
        Shape.of(
            "public.Items/List",
            "{\"order\": [{\"column\": \"name\"}], \"page_size\": %s, \"columns\": [\"id\"]}",
            "2",
            "3",
            "2",
            "0"),
        Shape.compare("id", "EQ", "int_value", "1", "2", "99"),
        Shape.compare("name", "LIKE", "string_value", "\"%%1\"", "\"%%2\""),
        Shape.compare("sold", "EQ", "bool_value", "true", "false"),
        Shape.compare("sold", "IS_NULL", "bool_value", "true", "false"),
        Shape.compare("ratio", "LT", "double_value", "0.5", "0.75"),
        Shape.compare("bytes", "EQ", "bytes_value", "\"QQ==\"", "\"Qg==\""),
        Shape.compare(
            "id",
            "ONE_OF",
            "array_value",
            "{\"values\": [{\"int_value\": 1}, {\"int_value\": 2}]}",
            "{\"values\": []}",
            "{\"values\": [{\"int_value\": 3}]}"),
        Shape.query(
            "items",
            "{\"all_of\": {\"filters\": [{\"compare\": {\"column\": \"name\", \"operator\": \"IS_NULL\","
                + " \"value\": {\"bool_value\": false}}}, {\"compare\": {\"column\": \"id\","
                + " \"operator\": \"LT\", \"value\": {\"int_value\": %s}}}]}}",
            "3",
            "4"));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void cachedShape_givesTheResponseOfAParsedRequest(Shape shape) throws Exception {
    var answers = new ArrayList<String>();
    for (int round = 0; round < 2; round++) {
      for (var value : shape.values()) {
        var request = request(shape.method(), shape.request().formatted(value));
        var parsed = answer(shape.method(), reversed(request));
        assertThat(answer(shape.method(), request.toByteArray())).as(value).isEqualTo(parsed);
        answers.add(parsed);
      }
    }
    assertThat(answers).as("values make a difference").hasSizeGreaterThan(1);
    assertThat(answers.stream().distinct().count()).isGreaterThan(1);
  }

  /** With a cursor, and in a table without a key by a number of rows. */
  @ParameterizedTest
  @MethodSource
  void pages_ofOneShape(String table, String column) throws Exception {
    var type = client.file("public." + table).findServiceByName(table);
    var list = type.findMethodByName("List");
    var token = "";
    var pages = new ArrayList<String>();
    do {
      var json =
          "{\"page_size\": 4, \"page_token\": \"%s\", \"columns\": [\"%s\"]}"
              .formatted(token, column);
      var request = request("public." + table + "/List", json);
      var bytes = call("public." + table + "/List", request.toByteArray()).getFirst();
      assertThat(answer("public." + table + "/List", reversed(request)))
          .isEqualTo("[" + HexFormat.of().formatHex(bytes) + "]");
      var page = DynamicMessage.parseFrom(list.getOutputType(), bytes);
      pages.add(page.getField(list.getOutputType().findFieldByName("rows")).toString());
      token = (String) page.getField(list.getOutputType().findFieldByName("next_page_token"));
    } while (!token.isEmpty());
    assertThat(pages).doesNotHaveDuplicates().hasSizeGreaterThan(7);
    assertThatThrownBy(() ->
            call(
                "public." + table + "/List",
                request(
                        "public." + table + "/List",
                        "{\"page_size\": 4, \"page_token\": \"?\", \"columns\": [\""
                            + column
                            + "\"]}")
                    .toByteArray()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("INVALID_ARGUMENT");
  }

  static List<org.junit.jupiter.params.provider.Arguments> pages_ofOneShape() {
    return List.of(
        org.junit.jupiter.params.provider.Arguments.of("Items", "id"),
        org.junit.jupiter.params.provider.Arguments.of("Lines", "line"));
  }

  @Test
  void valueThatIsWrong_isNamed_alsoInAShapeThatWasSeen() throws Exception {
    for (int i = 0; i < 3; i++) {
      call(
          "public.Items/Scan",
          request("public.Items/Scan", "{\"filter\": {\"price\": {\"eq\": \"1\"}}}").toByteArray());
      assertThatThrownBy(() ->
              call(
                  "public.Items/Scan",
                  request("public.Items/Scan", "{\"filter\": {\"price\": {\"eq\": \"x\"}}}")
                      .toByteArray()))
          .hasMessageContaining("price.eq")
          .hasMessageContaining("'x'");
    }
  }

  private DynamicMessage request(String path, String json) throws Exception {
    var slash = path.indexOf('/');
    var service = path.substring(0, slash);
    var type =
        client
            .file(service)
            .findServiceByName(service.substring(service.lastIndexOf('.') + 1))
            .findMethodByName(path.substring(slash + 1))
            .getInputType();
    var message = DynamicMessage.newBuilder(type);
    JsonFormat.parser().merge(json, message);
    return message.build();
  }

  /** The same message with its fields in descending order. */
  private static byte[] reversed(DynamicMessage message) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var fields = new ArrayList<>(message.getAllFields().entrySet());
    assertThat(fields).as("fields to be exchanged").hasSizeGreaterThan(1);
    for (var each : fields.reversed()) {
      var one = DynamicMessage.newBuilder(message.getDescriptorForType());
      one.setField(each.getKey(), each.getValue());
      var out = CodedOutputStream.newInstance(bytes);
      one.build().writeTo(out);
      out.flush();
    }
    return bytes.toByteArray();
  }

  private String answer(String path, byte[] request) {
    try {
      return call(path, request).stream().map(HexFormat.of()::formatHex).toList().toString();
    } catch (StatusRuntimeException e) {
      return e.getMessage();
    }
  }

  private List<byte[]> call(String path, byte[] request) {
    var type =
        path.endsWith("Get") || path.endsWith("List")
            ? MethodType.UNARY
            : MethodType.SERVER_STREAMING;
    var method = TableMethods.descriptor(path, type);
    var options = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
    if (type == MethodType.UNARY) {
      return List.of(ClientCalls.blockingUnaryCall(client.channel(), method, options, request));
    }
    var all = new ArrayList<byte[]>();
    ClientCalls.blockingServerStreamingCall(client.channel(), method, options, request)
        .forEachRemaining(all::add);
    return all;
  }
}
