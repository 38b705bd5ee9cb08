// SPDX-License-Identifier: Apache-2.0
package com.example;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import java.sql.DriverManager;

/** Serves an embedded H2 database until it is stopped. */
public final class Shop {

  private static final String URL = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1";

  public static void main(String[] arguments) throws Exception {
    try (var connection = DriverManager.getConnection(URL);
        var statement = connection.createStatement()) {
      statement.execute("create table products (id bigint primary key, name varchar(80) not null)");
      statement.execute("insert into products values (1, 'Lamp'), (2, 'Pen')");
    }
    var port = arguments.length == 0 ? 5555 : Integer.parseInt(arguments[0]);
    var engine = JdbcEngine.open(URL);
    var server = ExternalApiServer.over(engine).port(port).start();
    System.out.println("Serves " + server.uri());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      server.close(); // lets running requests end
      engine.close();
    }));
  }
}
