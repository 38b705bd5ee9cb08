// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springgraphql;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Controller;

/** The shop's fields, with batch mappings for what is related. */
@Controller
class ShopController {

  private static final String PRODUCT =
      "select id, brand_id, code, name, description, weight, stock, active, rating, created"
          + " from products ";

  /** The answer to {@code echo}. */
  record Echo(String message) {}

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
  record Price(int productId, String currency, BigDecimal amount) {}

  /** A row of visits. */
  record Visit(long id, String note) {}

  private final JdbcClient jdbc;

  ShopController(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @QueryMapping
  Echo echo(@Argument String message) {
    return new Echo(message);
  }

  @QueryMapping("products_by_pk")
  @Nullable Product product(@Argument int id) {
    return jdbc.sql(PRODUCT + "where id = ?")
        .param(id)
        .query(ShopController::product)
        .optional()
        .orElse(null);
  }

  @QueryMapping
  List<Product> products(@Argument int limit, @Argument int after) {
    return jdbc.sql(PRODUCT + "where id > ? order by id limit ?")
        .params(after, limit)
        .query(ShopController::product)
        .list();
  }

  @MutationMapping
  Visit addVisit(@Argument("product_id") int productId, @Argument String note) {
    var keys = new GeneratedKeyHolder();
    jdbc.sql("insert into visits (product_id, note) values (?, ?)")
        .params(productId, note)
        .update(keys, "id");
    return new Visit(Objects.requireNonNull(keys.getKey()).longValue(), note);
  }

  @BatchMapping
  Map<Product, Brand> brand(List<Product> products) {
    var ids = products.stream().map(Product::brand_id).distinct().toList();
    var brands =
        jdbc
            .sql("select id, name from brands where id in (:ids)")
            .param("ids", ids)
            .query((row, number) -> new Brand(row.getInt(1), row.getString(2)))
            .list()
            .stream()
            .collect(Collectors.toMap(Brand::id, Function.identity()));
    var result = new HashMap<Product, Brand>();
    for (var product : products) {
      result.put(product, Objects.requireNonNull(brands.get(product.brand_id())));
    }
    return result;
  }

  @BatchMapping
  Map<Product, List<Price>> prices(List<Product> products) {
    var prices =
        jdbc
            .sql("select product_id, currency, amount from prices where product_id in (:ids)")
            .param("ids", products.stream().map(Product::id).toList())
            .query(
                (row, number) -> new Price(row.getInt(1), row.getString(2), row.getBigDecimal(3)))
            .list()
            .stream()
            .collect(Collectors.groupingBy(Price::productId));
    var result = new HashMap<Product, List<Price>>();
    for (var product : products) {
      result.put(product, prices.getOrDefault(product.id(), List.of()));
    }
    return result;
  }

  private static Product product(ResultSet row, int number) throws SQLException {
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
