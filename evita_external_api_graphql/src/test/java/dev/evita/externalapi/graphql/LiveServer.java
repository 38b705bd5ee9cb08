// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.Engine;
import dev.evita.api.Script;
import dev.evita.api.testkit.CountingEngine;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.graphql.request.SocketMessage;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A server whose subscriptions tests can count, over an engine that it closes. */
public final class LiveServer implements AutoCloseable, ApiProvider {

  public static final String SHOP =
      """
      create table brands (id int primary key, name varchar not null);
      create table products (
        id int primary key, name varchar not null, stock int not null, brand_id int references brands);
      create table events (id int primary key, at int not null, text varchar);
      create view stocked as select id, name from products where stock > 0;
      insert into brands values (1, 'One'), (2, 'Two');
      insert into products values (1, 'Lamp', 5, 1), (2, 'Chair', 0, 2);
      """;

  public final CountingEngine engine;
  public final ExternalApiServer server;
  private final GraphQlOptions options;
  private @Nullable ApiContext context;
  private @Nullable GraphQlApi api;

  public LiveServer() {
    this(H2Shop.open(SHOP), SubscriptionOptions.DEFAULT, all -> all);
  }

  public LiveServer(
      Engine over, SubscriptionOptions options, UnaryOperator<ServerOptions.Builder> change) {
    this.engine = new CountingEngine(over);
    this.options = GraphQlOptions.builder().subscriptions(options).build();
    var base = ServerOptions.builder().drain(Duration.ofSeconds(5));
    this.server =
        ExternalApiServer.over(engine)
            .options(change.apply(base).build())
            .withoutDiscovery()
            .provider(this)
            .start();
  }

  @Override
  public String name() {
    return "graphql";
  }

  @Override
  public Api api(ApiContext of) {
    context = of;
    api = (GraphQlApi) new GraphQlProvider(options).api(of);
    return api;
  }

  public URI endpoint() {
    return server.uri().resolve("/graphql");
  }

  public LiveClient connect() {
    return LiveClient.connect(server.port(), List.of(SocketMessage.PROTOCOL));
  }

  /** Runs a statement that writes; all tables count as touched. */
  public void script(String sql) {
    var sink = new EngineDriver(engine).run(new Script(sql, List.of()), Arguments.of(), null);
    if (sink.failure() != null) {
      throw new AssertionError(sink.failure());
    }
  }

  BackgroundWork background() {
    return Objects.requireNonNull(context).background();
  }

  /** Different live queries and streams. */
  public int subscriptions() {
    return Objects.requireNonNull(api).subscriptions();
  }

  public int interests() {
    return Objects.requireNonNull(context).tables().listening();
  }

  public void awaitNothingLeft() {
    while (subscriptions() + interests() + background().connections() > 0) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    server.close();
    engine.close();
  }
}
