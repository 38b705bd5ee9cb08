// SPDX-License-Identifier: Apache-2.0
package com.example;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import io.quarkus.logging.Log;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Serves the application's data source, from start to shutdown. */
@ApplicationScoped
public class ShopServer {

  private final DataSource source;
  private final int port;
  private JdbcEngine engine;
  private ExternalApiServer server;

  ShopServer(DataSource source, @ConfigProperty(name = "evita.port") int port) {
    this.source = source;
    this.port = port;
  }

  void start(@Observes StartupEvent event) throws Exception {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("create table products (id bigint primary key, name varchar(80) not null)");
      statement.execute("insert into products values (1, 'Lamp'), (2, 'Pen')");
    }
    engine = JdbcEngine.over(source);
    server = ExternalApiServer.over(engine).port(port).start();
    Log.infof("Serves %s", server.uri());
  }

  void stop(@Observes ShutdownEvent event) {
    server.close(); // lets running requests end; the data source is closed by Quarkus, later
    engine.close();
  }
}
