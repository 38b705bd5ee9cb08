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
record PairedComparison(String name, String expected, long warmUp, List<Contender> contenders) {

  private static final long WARM_UP = 40_000;

  /** Without a database: what the HTTP layer costs. */
  static final HttpProbe ECHO =
      HttpProbe.graphQl("query Echo { echo(message: \"hello\") { message } }");

  PairedComparison(String name, String expected, List<Contender> contenders) {
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
    POSTGRAPHILE,
    EVITA_HANDLER,
    EVITA_1000_HANDLERS,
    EVITA_HANDLER_POSTGRES,
    EVITA_HANDLER_POSTGRES_SOCKET,
    NODE_PG,
    NODE_PG_SOCKET,
    GO_PGX;

    /** On core 0, in the heap of all. The caller closes it. */
    ServerProcess start() throws IOException, SQLException, InterruptedException {
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
        case EVITA_HANDLER -> ours(HandlerServer.class);
        case EVITA_1000_HANDLERS -> ours(HandlerServer.ManyRoutes.class);
        case EVITA_HANDLER_POSTGRES -> HandlerPeers.evita(false);
        case EVITA_HANDLER_POSTGRES_SOCKET -> HandlerPeers.evita(true);
        case NODE_PG -> HandlerPeers.node(false);
        case NODE_PG_SOCKET -> HandlerPeers.node(true);
        case GO_PGX -> HandlerPeers.go();
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
  record Contender(Server server, Load.Kind load, HttpProbe ask, double wanted) {

    Contender(Server server, HttpProbe ask, double wanted) {
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
  static List<PairedComparison> layers() {
    return List.of(
        new PairedComparison(
            "echo",
            "{\"data\":{\"echo\":{\"message\":\"hello\"}}}",
            List.of(
                new Contender(Server.CEILING, ECHO, 0),
                new Contender(Server.EVITA_ECHO, ECHO, 0),
                new Contender(Server.FLOOR, ECHO, 0))),
        new PairedComparison(
            "products_by_pk",
            "\"code\":\"P-4711\"",
            List.of(new Contender(Server.EVITA_SHOP, EmbeddedShop.BY_PK, 0))),
        new PairedComparison(
            "list of 20, two relationships",
            "\"prices\":[{\"currency\":\"EUR\"",
            List.of(new Contender(Server.EVITA_SHOP, EmbeddedShop.LIST, 0))));
  }

  /** This server and what is there beside it. */
  static List<PairedComparison> peers() {
    return List.of(
        new PairedComparison(
            "echo",
            "{\"data\":{\"echo\":{\"message\":\"hello\"}}}",
            List.of(
                new Contender(Server.EVITA_ECHO, ECHO, 0),
                new Contender(Server.GRAPHQL_JAVA, ECHO, 2),
                new Contender(Server.SPRING, ECHO, 3),
                new Contender(Server.FLOOR, ECHO, 0))),
        new PairedComparison(
            "products_by_pk",
            "\"code\":\"P-4711\"",
            List.of(
                new Contender(Server.EVITA_SHOP, EmbeddedShop.BY_PK, 0),
                new Contender(Server.GRAPHQL_JAVA, EmbeddedShop.BY_PK, 2),
                new Contender(Server.SPRING, EmbeddedShop.BY_PK, 3))),
        listOf(20, "list of 20, two relationships", COLUMNS + RELATED, "\"amount\":4.4", 2.2),
        listOf(100, "flat list of 100 rows, 10 fields", FLAT, "\"code\":\"P-100\"", 5),
        new PairedComparison(
            "by key, one relationship",
            "\"name\":\"Brand 78\"",
            List.of(
                new Contender(
                    Server.EVITA_SHOP,
                    HttpProbe.graphQl("{ products_by_pk(id: 4711) { " + ONE + " } }"),
                    0),
                new Contender(
                    Server.POSTGRAPHILE,
                    HttpProbe.graphQl(
                        "{ productByRowId(rowId: 4711) { " + ONE_OF_POSTGRAPHILE + " } }"),
                    10))),
        new PairedComparison(
            "list of 20, one relationship",
            "\"code\":\"P-20\"",
            List.of(
                new Contender(Server.EVITA_SHOP, ordered(20, ONE), 0),
                new Contender(
                    Server.POSTGRAPHILE,
                    HttpProbe.graphQl(
                        "{ allProducts(first: 20) { nodes { " + ONE_OF_POSTGRAPHILE + " } } }"),
                    8))));
  }

  /** REST beside a constant answer of the same bytes, and beside what is written instead. */
  static List<PairedComparison> rest() {
    return List.of(
        new PairedComparison(
            "REST by key",
            CeilingServer.ROW,
            List.of(
                new Contender(Server.EVITA_SHOP, EmbeddedShop.REST_BY_PK, 0),
                new Contender(Server.CEILING, EmbeddedShop.REST_BY_PK, 0.85),
                new Contender(Server.SPRING_MVC, HttpProbe.get("/products/4711"), 3))),
        new PairedComparison(
            "REST list of 20 with brand",
            "\"brand\":{\"id\":41,\"name\":\"Brand 41\"}",
            List.of(
                new Contender(Server.EVITA_SHOP, EmbeddedShop.REST_LIST, 0),
                new Contender(Server.SPRING_MVC, HttpProbe.get("/products?limit=20"), 3),
                new Contender(
                    Server.SPRING_DATA_REST, HttpProbe.get("/products?size=20&sort=id"), 3))));
  }

  /** gRPC beside grpc-java's own transport, and HTTP/2 beside HTTP/1.1. */
  static List<PairedComparison> http2() {
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

  /** A handler in SQL beside a constant response, Node.js and Go; each handle is another user's. */
  static List<PairedComparison> handlers() {
    var user = HttpProbe.get("/users/u" + HttpProbe.KEY).varying();
    return List.of(
        new PairedComparison(
            "GET /users/{handle}, H2",
            "Hello, <b>Name ",
            List.of(
                new Contender(Server.EVITA_HANDLER, user, 0),
                new Contender(Server.EVITA_1000_HANDLERS, user, 0.95),
                new Contender(Server.NODE_PG, user, 6.6),
                new Contender(Server.NODE_PG_SOCKET, user, 4.1))),
        new PairedComparison(
            "GET /users/{handle}, PostgreSQL",
            "Hello, <b>Name ",
            List.of(
                new Contender(Server.EVITA_HANDLER_POSTGRES, user, 0),
                new Contender(Server.EVITA_HANDLER_POSTGRES_SOCKET, user, 0),
                new Contender(Server.NODE_PG, user, 1.3),
                new Contender(Server.NODE_PG_SOCKET, user, 0),
                new Contender(Server.GO_PGX, user, 1))),
        new PairedComparison(
            "constant response",
            CeilingServer.ROW,
            List.of(new Contender(Server.CEILING, HttpProbe.get("/users/u" + HttpProbe.KEY), 0))));
  }

  private static PairedComparison unary(String name, Server ours, Server theirs) {
    return new PairedComparison(name, "hello", 600_000, grpc(GrpcRows.ECHO_HELLO, ours, theirs));
  }

  private static PairedComparison rows(String name, Server ours, Server theirs) {
    return new PairedComparison(name, "10000 x ", 600, grpc(GrpcRows.LIST_10_000, ours, theirs));
  }

  private static List<Contender> grpc(HttpProbe ask, Server ours, Server theirs) {
    return List.of(
        new Contender(ours, Load.Kind.GRPC_STREAMS, ask, 0),
        new Contender(theirs, Load.Kind.GRPC_STREAMS, ask, 1));
  }

  private static PairedComparison versions(String name, Load.Kind ours, Load.Kind other) {
    return new PairedComparison(
        name,
        "{\"data\":{\"echo\":{\"message\":\"hello\"}}}",
        400_000,
        List.of(
            new Contender(Server.EVITA_ECHO, ours, ECHO, 0),
            new Contender(Server.EVITA_ECHO, other, ECHO, 0.9)));
  }

  private static PairedComparison listOf(
      int rows, String name, String fields, String expected, double timesGraphQlJava) {
    var theirs = HttpProbe.graphQl("{ products(limit: " + rows + ") { " + fields + " } }");
    return new PairedComparison(
        name,
        expected,
        List.of(
            new Contender(Server.EVITA_SHOP, ordered(rows, fields), 0),
            new Contender(Server.GRAPHQL_JAVA, theirs, timesGraphQlJava),
            new Contender(Server.SPRING, theirs, 3)));
  }

  private static HttpProbe ordered(int rows, String fields) {
    return HttpProbe.graphQl(
        "{ products(limit: " + rows + ", order_by: {id: asc}) { " + fields + " } }");
  }
}
