// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * What is compared in one breath: the first contender with each of the others.
 *
 * @param expected a part of the right answer
 */
record Race(String name, String expected, List<Contender> contenders) {

  /** The servers there are. Each is started once, however many races it is in. */
  enum Server {
    FLOOR,
    CEILING,
    EVITA_ECHO,
    EVITA_SHOP,
    GRAPHQL_JAVA,
    SPRING,
    SPRING_MVC,
    SPRING_DATA_REST,
    POSTGRAPHILE;

    ServerProcess start() throws IOException, SQLException {
      return switch (this) {
        case FLOOR -> ServerProcess.ours(FloorServer.class);
        case CEILING -> ServerProcess.ours(CeilingServer.class);
        case EVITA_ECHO -> ServerProcess.ours(EchoServer.class);
        case EVITA_SHOP -> ServerProcess.ours(ShopServer.class);
        case GRAPHQL_JAVA ->
            ServerProcess.candidate(
                "graphql_java", "dev.evita.candidates.graphqljava.GraphQlJavaServer");
        case SPRING ->
            ServerProcess.candidate(
                "spring_graphql", "dev.evita.candidates.springgraphql.SpringGraphQlServer");
        case SPRING_MVC ->
            ServerProcess.candidate("spring_mvc", "dev.evita.candidates.springmvc.SpringMvcServer");
        case SPRING_DATA_REST ->
            ServerProcess.candidate(
                "spring_data_rest", "dev.evita.candidates.springdatarest.SpringDataRestServer");
        case POSTGRAPHILE -> ServerProcess.postGraphile();
      };
    }
  }

  /**
   * A server and what it is asked.
   *
   * @param wanted how many times as fast the first contender is to be; 0 where nothing is asked for
   */
  record Contender(Server server, Ask ask, double wanted) {}

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
                new Contender(Server.CEILING, EchoEngine.QUERY, 0),
                new Contender(Server.EVITA_ECHO, EchoEngine.QUERY, 0),
                new Contender(Server.FLOOR, EchoEngine.QUERY, 0))),
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
                new Contender(Server.EVITA_ECHO, EchoEngine.QUERY, 0),
                new Contender(Server.GRAPHQL_JAVA, EchoEngine.QUERY, 2),
                new Contender(Server.SPRING, EchoEngine.QUERY, 3),
                new Contender(Server.FLOOR, EchoEngine.QUERY, 0))),
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
