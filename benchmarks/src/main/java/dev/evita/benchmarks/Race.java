// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.candidates.ceiling.CeilingServer;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * What is compared in one breath: the first contender with each of the others.
 *
 * @param expected a part of the right answer
 * @param warmUp how many requests the JIT is given, with margin
 */
record Race(String name, String expected, long warmUp, List<Contender> contenders) {

  private static final long WARM_UP = 40_000;

  /** Without a database: what the HTTP layer costs. */
  static final Ask ECHO = Ask.graphQl("query Echo { echo(message: \"hello\") { message } }");

  Race(String name, String expected, List<Contender> contenders) {
    this(name, expected, WARM_UP, contenders);
  }

  /**
   * The servers there are. Each is started once, however many races it is in; where what the JIT
   * learned in one would tell in the other, there are two of the same.
   */
  enum Server {
    FLOOR,
    CEILING,
    EVITA_ECHO,
    EVITA_SHOP,
    EVITA_GRPC,
    EVITA_GRPC_ROWS,
    EVITA_GRPC_ON_WORKERS,
    EVITA_GRPC_ROWS_ON_WORKERS,
    GRPC_NETTY,
    GRPC_NETTY_ROWS,
    GRPC_NETTY_ON_WORKERS,
    GRPC_NETTY_ROWS_ON_WORKERS,
    GRAPHQL_JAVA,
    SPRING,
    SPRING_MVC,
    SPRING_DATA_REST,
    POSTGRAPHILE;

    /** On core 0, in the heap of all. The caller closes it. */
    ServerProcess start() throws IOException, SQLException {
      return switch (this) {
        case FLOOR -> ours(FloorServer.class);
        case CEILING -> contestant(Candidate.CEILING);
        case EVITA_ECHO -> contestant(Candidate.EVITA);
        case EVITA_SHOP -> ours(ShopServer.class);
        case EVITA_GRPC, EVITA_GRPC_ROWS -> ours(GrpcServer.class);
        case EVITA_GRPC_ON_WORKERS, EVITA_GRPC_ROWS_ON_WORKERS -> ours(GrpcServer.OnWorkers.class);
        case GRPC_NETTY, GRPC_NETTY_ROWS -> ours(GrpcNettyServer.class);
        case GRPC_NETTY_ON_WORKERS, GRPC_NETTY_ROWS_ON_WORKERS ->
            ours(GrpcNettyServer.OnWorkers.class);
        case GRAPHQL_JAVA ->
            shop("graphql_java", "dev.evita.candidates.graphqljava.GraphQlJavaServer");
        case SPRING ->
            shop("spring_graphql", "dev.evita.candidates.springgraphql.SpringGraphQlServer");
        case SPRING_MVC -> shop("spring_mvc", "dev.evita.candidates.springmvc.SpringMvcServer");
        case SPRING_DATA_REST ->
            shop("spring_data_rest", "dev.evita.candidates.springdatarest.SpringDataRestServer");
        case POSTGRAPHILE -> ServerProcess.postGraphile();
      };
    }
  }

  private static ServerProcess contestant(Candidate candidate) throws IOException {
    return new Contestant(candidate, true).start(ServerProcess.Cores.FIRST, ServerProcess.HEAP);
  }

  private static ServerProcess ours(Class<?> main) throws IOException {
    return ServerProcess.ours(main, ServerProcess.Cores.FIRST, ServerProcess.HEAP);
  }

  private static ServerProcess shop(String module, String main) throws IOException {
    return ServerProcess.shop(module, main, ServerProcess.Cores.FIRST, ServerProcess.HEAP);
  }

  /**
   * A server and what it is asked.
   *
   * @param wanted how many times as fast the first contender is to be; 0 where nothing is asked for
   */
  record Contender(Server server, Load.Kind load, Ask ask, double wanted) {

    Contender(Server server, Ask ask, double wanted) {
      this(server, Load.Kind.WRK, ask, wanted);
    }

    String name() {
      return load == Load.Kind.WRK ? server.toString() : server + " by " + load;
    }
  }

  private static final String COLUMNS = "id code name stock active rating created weight";
  private static final String FLAT = COLUMNS + " description brand_id";
  private static final String RELATED = " brand { id name } prices { currency amount }";
  private static final String ONE = "id code name stock active brand { id name }";
  private static final String ONE_OF_POSTGRAPHILE =
      "rowId code name stock active brandByBrandId { rowId name }";

  /** The layers of this server, with the ceiling first. */
  static List<Race> layers() {
    return List.of(
        new Race(
            "echo",
            "{\"data\":{\"echo\":{\"message\":\"hello\"}}}",
            List.of(
                new Contender(Server.CEILING, ECHO, 0),
                new Contender(Server.EVITA_ECHO, ECHO, 0),
                new Contender(Server.FLOOR, ECHO, 0))),
        new Race(
            "products_by_pk",
            "\"code\":\"P-4711\"",
            List.of(new Contender(Server.EVITA_SHOP, Shop.BY_PK, 0))),
        new Race(
            "list of 20, two relationships",
            "\"prices\":[{\"currency\":\"EUR\"",
            List.of(new Contender(Server.EVITA_SHOP, Shop.LIST, 0))));
  }

  /** This server and what is there beside it. */
  static List<Race> peers() {
    return List.of(
        new Race(
            "echo",
            "{\"data\":{\"echo\":{\"message\":\"hello\"}}}",
            List.of(
                new Contender(Server.EVITA_ECHO, ECHO, 0),
                new Contender(Server.GRAPHQL_JAVA, ECHO, 2),
                new Contender(Server.SPRING, ECHO, 3),
                new Contender(Server.FLOOR, ECHO, 0))),
        new Race(
            "products_by_pk",
            "\"code\":\"P-4711\"",
            List.of(
                new Contender(Server.EVITA_SHOP, Shop.BY_PK, 0),
                new Contender(Server.GRAPHQL_JAVA, Shop.BY_PK, 2),
                new Contender(Server.SPRING, Shop.BY_PK, 3))),
        listOf(20, "list of 20, two relationships", COLUMNS + RELATED, "\"amount\":4.4", 2.2),
        listOf(100, "flat list of 100 rows, 10 fields", FLAT, "\"code\":\"P-100\"", 5),
        new Race(
            "by key, one relationship",
            "\"name\":\"Brand 78\"",
            List.of(
                new Contender(
                    Server.EVITA_SHOP,
                    Ask.graphQl("{ products_by_pk(id: 4711) { " + ONE + " } }"),
                    0),
                new Contender(
                    Server.POSTGRAPHILE,
                    Ask.graphQl("{ productByRowId(rowId: 4711) { " + ONE_OF_POSTGRAPHILE + " } }"),
                    10))),
        new Race(
            "list of 20, one relationship",
            "\"code\":\"P-20\"",
            List.of(
                new Contender(Server.EVITA_SHOP, ordered(20, ONE), 0),
                new Contender(
                    Server.POSTGRAPHILE,
                    Ask.graphQl(
                        "{ allProducts(first: 20) { nodes { " + ONE_OF_POSTGRAPHILE + " } } }"),
                    8))));
  }

  /** REST beside a constant answer of the same bytes, and beside what is written instead. */
  static List<Race> rest() {
    return List.of(
        new Race(
            "REST by key",
            CeilingServer.ROW,
            List.of(
                new Contender(Server.EVITA_SHOP, Shop.REST_BY_PK, 0),
                new Contender(Server.CEILING, Shop.REST_BY_PK, 0.85),
                new Contender(Server.SPRING_MVC, Ask.get("/products/4711"), 3))),
        new Race(
            "REST list of 20 with brand",
            "\"brand\":{\"id\":41,\"name\":\"Brand 41\"}",
            List.of(
                new Contender(Server.EVITA_SHOP, Shop.REST_LIST, 0),
                new Contender(Server.SPRING_MVC, Ask.get("/products?limit=20"), 3),
                new Contender(Server.SPRING_DATA_REST, Ask.get("/products?size=20&sort=id"), 3))));
  }

  /** gRPC beside grpc-java's own transport, and HTTP/2 beside HTTP/1.1. */
  static List<Race> http2() {
    return List.of(
        unary("unary echo", Server.EVITA_GRPC, Server.GRPC_NETTY),
        rows("10 000 rows", Server.EVITA_GRPC_ROWS, Server.GRPC_NETTY_ROWS),
        unary("unary echo, on workers", Server.EVITA_GRPC_ON_WORKERS, Server.GRPC_NETTY_ON_WORKERS),
        rows(
            "10 000 rows, on workers",
            Server.EVITA_GRPC_ROWS_ON_WORKERS,
            Server.GRPC_NETTY_ROWS_ON_WORKERS),
        versions("GraphQL echo, 128 at once", Load.Kind.H2C_STREAMS, Load.Kind.H1_MANY),
        versions("GraphQL echo, 16 at once", Load.Kind.H2C, Load.Kind.H1));
  }

  private static Race unary(String name, Server ours, Server theirs) {
    return new Race(name, "hello", 600_000, grpc(GrpcRows.ECHO_HELLO, ours, theirs));
  }

  private static Race rows(String name, Server ours, Server theirs) {
    return new Race(name, "10000 x ", 600, grpc(GrpcRows.LIST_10_000, ours, theirs));
  }

  private static List<Contender> grpc(Ask ask, Server ours, Server theirs) {
    return List.of(
        new Contender(ours, Load.Kind.GRPC_STREAMS, ask, 0),
        new Contender(theirs, Load.Kind.GRPC_STREAMS, ask, 1));
  }

  private static Race versions(String name, Load.Kind ours, Load.Kind other) {
    return new Race(
        name,
        "{\"data\":{\"echo\":{\"message\":\"hello\"}}}",
        400_000,
        List.of(
            new Contender(Server.EVITA_ECHO, ours, ECHO, 0),
            new Contender(Server.EVITA_ECHO, other, ECHO, 0.9)));
  }

  private static Race listOf(
      int rows, String name, String fields, String expected, double timesGraphQlJava) {
    var theirs = Ask.graphQl("{ products(limit: " + rows + ") { " + fields + " } }");
    return new Race(
        name,
        expected,
        List.of(
            new Contender(Server.EVITA_SHOP, ordered(rows, fields), 0),
            new Contender(Server.GRAPHQL_JAVA, theirs, timesGraphQlJava),
            new Contender(Server.SPRING, theirs, 3)));
  }

  private static Ask ordered(int rows, String fields) {
    return Ask.graphQl("{ products(limit: " + rows + ", order_by: {id: asc}) { " + fields + " } }");
  }
}
