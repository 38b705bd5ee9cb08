// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.graphqljava;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The shop in H2, by plain JDBC with statements prepared once. One thread at a time. */
final class Shop {

  private static final String PRODUCT =
      "select id, brand_id, code, name, description, weight, stock, active, rating, created"
          + " from products ";

  /** A row of products, with the names of the schema. */
  record Product(
      int id,
      int brand_id,
      String code,
      String name,
      @Nullable String description,
      @Nullable BigDecimal weight,
      int stock,
      boolean active,
      double rating,
      LocalDateTime created) {}

  /** A row of brands. */
  record Brand(int id, String name) {}

  /** A row of prices. */
  record Price(String currency, BigDecimal amount) {}

  private final PreparedStatement productById;
  private final PreparedStatement products;
  private final PreparedStatement brandsById;
  private final PreparedStatement pricesByProduct;

  private Shop(Connection connection) throws SQLException {
    productById = connection.prepareStatement(PRODUCT + "where id = ?");
    products = connection.prepareStatement(PRODUCT + "order by id limit ?");
    // The fastest way to hand keys over to H2: see docs/benchmarks.md.
    brandsById = connection.prepareStatement("select id, name from brands where id = any(?)");
    pricesByProduct =
        connection.prepareStatement(
            "select product_id, currency, amount from prices where product_id = any(?)");
  }

  /** Fills a database in memory. */
  static Shop open(Path script) throws IOException, SQLException {
    var connection = DriverManager.getConnection("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
    try (var statement = connection.createStatement()) {
      statement.execute(Files.readString(script));
    }
    return new Shop(connection);
  }

  @Nullable Product product(int id) throws SQLException {
    productById.setInt(1, id);
    try (var rows = productById.executeQuery()) {
      return rows.next() ? product(rows) : null;
    }
  }

  List<Product> products(int limit) throws SQLException {
    products.setInt(1, limit);
    var result = new ArrayList<Product>(limit);
    try (var rows = products.executeQuery()) {
      while (rows.next()) {
        result.add(product(rows));
      }
    }
    return result;
  }

  private static Product product(ResultSet row) throws SQLException {
    return new Product(
        row.getInt(1),
        row.getInt(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getBigDecimal(6),
        row.getInt(7),
        row.getBoolean(8),
        row.getDouble(9),
        row.getObject(10, LocalDateTime.class));
  }

  Map<Integer, Brand> brands(List<Integer> ids) throws SQLException {
    brandsById.setObject(1, ids.toArray());
    var result = new HashMap<Integer, Brand>();
    try (var rows = brandsById.executeQuery()) {
      while (rows.next()) {
        result.put(rows.getInt(1), new Brand(rows.getInt(1), rows.getString(2)));
      }
    }
    return result;
  }

  Map<Integer, List<Price>> prices(List<Integer> products) throws SQLException {
    pricesByProduct.setObject(1, products.toArray());
    var result = new HashMap<Integer, List<Price>>();
    try (var rows = pricesByProduct.executeQuery()) {
      while (rows.next()) {
        result
            .computeIfAbsent(rows.getInt(1), any -> new ArrayList<>())
            .add(new Price(rows.getString(2), rows.getBigDecimal(3)));
      }
    }
    return result;
  }
}
