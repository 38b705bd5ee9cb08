// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.quarkusgraphql;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.eclipse.microprofile.graphql.DefaultValue;
import org.eclipse.microprofile.graphql.GraphQLApi;
import org.eclipse.microprofile.graphql.Mutation;
import org.eclipse.microprofile.graphql.Name;
import org.eclipse.microprofile.graphql.Query;
import org.eclipse.microprofile.graphql.Source;
import org.jspecify.annotations.Nullable;

/** The shop's fields; what is related is fetched for a list of sources, as one batch. */
@GraphQLApi
@ApplicationScoped
public class ShopApi {

  private static final String PRODUCT =
      "select id, brand_id, code, name, description, weight, stock, active, rating, created"
          + " from products ";

  /** The answer to {@code echo}. */
  public record Echo(String message) {}

  /** A row of products, with the names of the schema. */
  public record Product(
      int id,
      @Name("brand_id") int brandId,
      String code,
      String name,
      @Nullable String description,
      @Nullable BigDecimal weight,
      int stock,
      boolean active,
      double rating,
      LocalDateTime created) {}

  /** A row of brands. */
  public record Brand(int id, String name) {}

  /** A row of prices. */
  public record Price(String currency, BigDecimal amount) {}

  /** A row of visits. */
  public record Visit(long id, String note) {}

  private final DataSource dataSource;

  @Inject
  public ShopApi(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Query
  public Echo echo(@Name("message") String message) {
    return new Echo(message);
  }

  @Query("products_by_pk")
  public @Nullable Product product(@Name("id") int id) throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement = connection.prepareStatement(PRODUCT + "where id = ?")) {
      statement.setInt(1, id);
      var products = products(statement);
      return products.isEmpty() ? null : products.getFirst();
    }
  }

  @Query
  public List<Product> products(
      @Name("limit") int limit, @Name("after") @DefaultValue("0") int after) throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement = connection.prepareStatement(PRODUCT + "where id > ? order by id limit ?")) {
      statement.setInt(1, after);
      statement.setInt(2, limit);
      return products(statement);
    }
  }

  /** Of each product, in their order. */
  public List<Brand> brand(@Source List<Product> products) throws SQLException {
    var brands = new HashMap<Integer, Brand>();
    try (var connection = dataSource.getConnection();
        var statement =
            byKeys(
                connection,
                "select id, name from brands where id = any(?)",
                products.stream().map(Product::brandId).distinct().toList());
        var rows = statement.executeQuery()) {
      while (rows.next()) {
        brands.put(rows.getInt(1), new Brand(rows.getInt(1), rows.getString(2)));
      }
    }
    return products.stream().map(product -> brands.get(product.brandId())).toList();
  }

  /** Of each product, in their order. */
  public List<List<Price>> prices(@Source List<Product> products) throws SQLException {
    Map<Integer, List<Price>> prices = new HashMap<>();
    try (var connection = dataSource.getConnection();
        var statement =
            byKeys(
                connection,
                "select product_id, currency, amount from prices where product_id = any(?)",
                products.stream().map(Product::id).toList());
        var rows = statement.executeQuery()) {
      while (rows.next()) {
        prices
            .computeIfAbsent(rows.getInt(1), key -> new ArrayList<>())
            .add(new Price(rows.getString(2), rows.getBigDecimal(3)));
      }
    }
    return products.stream().map(product -> prices.getOrDefault(product.id(), List.of())).toList();
  }

  @Mutation("addVisit")
  public Visit addVisit(@Name("product_id") int productId, @Name("note") String note)
      throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement =
            connection.prepareStatement(
                "insert into visits (product_id, note) values (?, ?)",
                Statement.RETURN_GENERATED_KEYS)) {
      statement.setInt(1, productId);
      statement.setString(2, note);
      statement.executeUpdate();
      try (var keys = statement.getGeneratedKeys()) {
        keys.next();
        return new Visit(keys.getLong(1), note);
      }
    }
  }

  private static PreparedStatement byKeys(Connection connection, String sql, List<Integer> keys)
      throws SQLException {
    var statement = connection.prepareStatement(sql);
    statement.setArray(1, connection.createArrayOf("integer", keys.toArray()));
    return statement;
  }

  private static List<Product> products(PreparedStatement statement) throws SQLException {
    var products = new ArrayList<Product>();
    try (var rows = statement.executeQuery()) {
      while (rows.next()) {
        products.add(product(rows));
      }
    }
    return products;
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
}
