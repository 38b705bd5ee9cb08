// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A way to serve the shop of {@code shop.sql} from H2 in memory, in the server's own process: this
 * layer by each of its protocols, and what would be written instead.
 */
enum ShopContestant implements Subject {
  EVITA_GRAPHQL(
      "Evita, GraphQL",
      Map.of(
          ShopRequest.BY_KEY, EmbeddedShop.BY_ANY_PK,
          ShopRequest.LIST, EmbeddedShop.LIST_AFTER,
          ShopRequest.INSERT, EmbeddedShop.INSERT)),
  EVITA_REST(
      "Evita, REST",
      Map.of(
          ShopRequest.BY_KEY,
          EmbeddedShop.REST_BY_PK.varying(),
          ShopRequest.LIST,
          HttpProbe.get(
                  "/rest/products?select=id,code,name,stock,active,rating,created,weight,"
                      + "brand(id,name),prices(currency,amount)&id=gt.4711&order=id&limit=20")
              .varying(),
          ShopRequest.INSERT,
          HttpProbe.jsonReturned(
              "/rest/visits?select=id,note", "{\"product_id\":4711,\"note\":\"hello\"}"))),
  EVITA_GRPC(
      "Evita, gRPC",
      Map.of(
          ShopRequest.BY_KEY,
          HttpProbe.grpc("public.Products/Get", GrpcMessages.GET_4711).varying(),
          ShopRequest.INSERT,
          HttpProbe.grpc("public.Visits/Insert", GrpcMessages.INSERT_HELLO))),
  SPRING_MVC(
      "Spring MVC, JdbcClient",
      Map.of(
          ShopRequest.BY_KEY, HttpProbe.get("/products/4711").varying(),
          ShopRequest.LIST, HttpProbe.get("/catalog?after=4711&limit=20").varying(),
          ShopRequest.INSERT,
              HttpProbe.json("/visits", "{\"product_id\":4711,\"note\":\"hello\"}"))),
  SPRING_GRAPHQL("Spring for GraphQL", ShopRequest.OF_SCHEMA),
  QUARKUS_GRAPHQL("Quarkus, SmallRye GraphQL", ShopRequest.OF_SCHEMA);

  private final String title;
  private final Map<ShopRequest, HttpProbe> asks;

  ShopContestant(String title, Map<ShopRequest, HttpProbe> asks) {
    this.title = title;
    this.asks = asks;
  }

  /** The requests that it supports. */
  Map<ShopRequest, HttpProbe> asks() {
    return asks;
  }

  /** The load generator: one request at a time on each connection. */
  Load.Kind load() {
    return this == EVITA_GRPC ? Load.Kind.GRPC : Load.Kind.closedLoop();
  }

  /** Whether its process is another's as well, asked otherwise. */
  boolean sharesProcess() {
    return this == EVITA_REST || this == EVITA_GRPC;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String version() throws IOException {
    return switch (this) {
      case EVITA_GRAPHQL, EVITA_REST, EVITA_GRPC -> Candidate.EVITA.version();
      case SPRING_MVC -> version("spring_mvc", "spring-boot");
      case SPRING_GRAPHQL -> version("spring_graphql", "spring-graphql");
      case QUARKUS_GRAPHQL -> version("quarkus_graphql", "quarkus-core");
    };
  }

  private static String version(String module, String library) throws IOException {
    var classPath = Path.of("candidates", "shop", module, "target", "classpath");
    var pattern = Pattern.compile("/" + Pattern.quote(library) + "-([0-9][^/:]*)\\.jar");
    var matcher = pattern.matcher(Files.readString(classPath));
    if (!matcher.find()) {
      throw new IOException("no " + library + " in " + classPath);
    }
    return matcher.group(1);
  }

  @Override
  public ServerProcess start(ServerProcess.Cores cores, List<String> jvm) throws IOException {
    return switch (this) {
      case EVITA_GRAPHQL, EVITA_REST, EVITA_GRPC ->
          ServerProcess.ours(ShopServer.class, cores, jvm);
      case SPRING_MVC ->
          ServerProcess.shop(
              "spring_mvc", "dev.evita.candidates.springmvc.SpringMvcServer", cores, jvm);
      case SPRING_GRAPHQL ->
          ServerProcess.shop(
              "spring_graphql",
              "dev.evita.candidates.springgraphql.SpringGraphQlServer",
              cores,
              jvm);
      case QUARKUS_GRAPHQL -> ServerProcess.quarkusShop(cores, jvm);
    };
  }

  /**
   * A wrong answer may be a fast one.
   *
   * @throws IOException if it answers one of the requests otherwise than is right
   */
  void requireRight(int port) throws IOException, InterruptedException {
    for (var entry : asks.entrySet()) {
      var answer = ResponseCheck.of(port, entry.getValue());
      var expected = entry.getKey().expected();
      if (!answer.contains(expected) || answer.contains("\"errors\"")) {
        throw new IOException(
            "%s, %s: expected %s in %s".formatted(title, entry.getKey().title(), expected, answer));
      }
    }
  }

  /**
   * Messages of {@code /grpc/public.proto}, as it is for a new database: the numbers of fields are
   * the places of the columns.
   */
  private static final class GrpcMessages {

    /** {@code key {id: 4711} columns: [...]}. */
    static final UnknownFieldSet GET_4711 =
        message(
            1, message(1, number(4711)).toByteString(), "id", "code", "name", "stock", "active");

    /** {@code row {product_id: 4711 note: "hello"}}. */
    static final UnknownFieldSet INSERT_HELLO =
        message(
            1,
            UnknownFieldSet.newBuilder()
                .addField(2, number(4711))
                .addField(3, text("hello"))
                .build()
                .toByteString());

    private static UnknownFieldSet message(int field, ByteString first, String... columns) {
      var message =
          UnknownFieldSet.newBuilder()
              .addField(field, Field.newBuilder().addLengthDelimited(first).build());
      if (columns.length > 0) {
        var names = Field.newBuilder();
        for (var column : columns) {
          names.addLengthDelimited(ByteString.copyFromUtf8(column));
        }
        message.addField(2, names.build());
      }
      return message.build();
    }

    private static UnknownFieldSet message(int field, Field value) {
      return UnknownFieldSet.newBuilder().addField(field, value).build();
    }

    private static Field number(int value) {
      return Field.newBuilder().addVarint(value).build();
    }

    private static Field text(String value) {
      return Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8(value)).build();
    }
  }
}
