// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.Engine;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.Script;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;

/** A server over a small shop on H2 in memory, and the queries that are measured on it. */
final class EmbeddedShop implements AutoCloseable {

  static final HttpProbe BY_PK =
      HttpProbe.graphQl("{ products_by_pk(id: 4711) { id code name stock active } }");
  static final HttpProbe LIST =
      HttpProbe.graphQl(
          "{ products(limit: 20, order_by: {id: asc}) { id code name stock active rating created"
              + " weight brand { id name } prices { currency amount } } }");

  /** A product by a key that varies. */
  static final HttpProbe BY_ANY_PK =
      HttpProbe.graphQl(
              "query($id: Int!) { products_by_pk(id: $id) { id code name stock active } }",
              "{\"id\":4711}")
          .varying();

  /** 20 products after a key that varies. */
  static final HttpProbe LIST_AFTER =
      HttpProbe.graphQl(
              "query($after: Int!) { products(limit: 20, order_by: {id: asc}, where: {id: {_gt:"
                  + " $after}}) { id code name stock active rating created weight brand { id name }"
                  + " prices { currency amount } } }",
              "{\"after\":4711}")
          .varying();

  static final HttpProbe INSERT =
      HttpProbe.graphQl(
          "mutation { insert_visits_one(object: {product_id: 4711, note: \"hello\"}) { id note } }");
  static final HttpProbe REST_BY_PK =
      HttpProbe.get("/rest/products?id=eq.4711&select=id,code,name,stock,active");
  static final HttpProbe REST_LIST =
      HttpProbe.get(
          "/rest/products?select=id,code,name,stock,active,rating,created,weight,brand(id,name)"
              + "&order=id&limit=20");

  private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
  private final Engine engine;
  private final ExternalApiServer server;

  EmbeddedShop(int port) {
    engine = JdbcEngine.open(url);
    run(Script.of(script()));
    server =
        ExternalApiServer.over(engine)
            .options(
                ServerOptions.builder()
                    .port(port)
                    .ioThreads(Integer.getInteger("io.threads", 2))
                    .build())
            .start();
  }

  int port() {
    return server.port();
  }

  /** For other connections to the same database, as long as the shop is open. */
  String url() {
    return url;
  }

  private void run(Script script) {
    engine.prepare(script).run(Arguments.NONE, null, new LoadSink());
  }

  /** The SQL that makes the tables and their rows. */
  static String script() {
    try (var in = Objects.requireNonNull(EmbeddedShop.class.getResourceAsStream("shop.sql"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.close();
    engine.close();
  }

  private static final class LoadSink implements RowSink {
    @Override
    public Demand row(Row row) {
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {}

    @Override
    public void failed(EvitaException failure) {
      throw failure;
    }
  }
}
