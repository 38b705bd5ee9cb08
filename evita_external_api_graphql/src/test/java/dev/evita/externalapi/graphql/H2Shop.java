// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.TableName;
import dev.evita.engine.jdbc.JdbcEngine;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** H2 databases in memory, each of its own. */
public final class H2Shop {

  private H2Shop() {}

  /** A database that a script made. */
  public static JdbcEngine open(String script) {
    var url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(script);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return JdbcEngine.open(url.replace(";DB_CLOSE_DELAY=-1", ""));
  }

  /** The shop with the rows of another engine. */
  public static JdbcEngine open(MemoryEngine rows) {
    var script =
        new StringBuilder(
            """
            create table brands (id int primary key, name varchar not null);
            create table products (
              id int primary key, name varchar, weight numeric(10, 2), added date, serial bigint,
              active boolean not null, brand_id int references brands);
            create table prices (
              product_id int not null references products, currency varchar not null,
              amount numeric(10, 2) not null, primary key (product_id, currency));
            """);
    for (var table : List.of(ShopData.BRANDS, ShopData.PRODUCTS, ShopData.PRICES)) {
      insert(rows, table, script);
    }
    return open(script.toString());
  }

  private static void insert(MemoryEngine rows, TableName table, StringBuilder script) {
    for (var row : rows.rows(table)) {
      var values = new ArrayList<String>();
      for (var value : row.values()) {
        values.add(
            value == null || value instanceof Number || value instanceof Boolean
                ? String.valueOf(value)
                : "'" + value + "'");
      }
      script
          .append("insert into ")
          .append(table.table())
          .append('(')
          .append(String.join(", ", row.keySet()))
          .append(") values (")
          .append(String.join(", ", values))
          .append(");\n");
    }
  }
}
