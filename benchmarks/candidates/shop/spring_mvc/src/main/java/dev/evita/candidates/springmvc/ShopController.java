// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springmvc;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The shop's resources; products and their brands by one join. */
@RestController
class ShopController {

  /** A row by its key. */
  record Stocked(int id, String code, String name, int stock, boolean active) {}

  /** A row of brands. */
  record Brand(int id, String name) {}

  /** A row of products with its brand. */
  record Product(
      int id,
      String code,
      String name,
      int stock,
      boolean active,
      double rating,
      LocalDateTime created,
      @Nullable BigDecimal weight,
      Brand brand) {}

  /** A row of prices. */
  record Price(String currency, BigDecimal amount) {}

  /** A row of products with all that is related. */
  record Listed(@JsonUnwrapped Product product, List<Price> prices) {}

  /** What is written of a visit. */
  record NewVisit(@JsonProperty("product_id") int productId, String note) {}

  /** A row of visits. */
  record Visit(long id, String note) {}

  private final JdbcClient jdbc;

  ShopController(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @GetMapping("/products/{id}")
  ResponseEntity<Stocked> product(@PathVariable int id) {
    return ResponseEntity.of(
        jdbc.sql("select id, code, name, stock, active from products where id = ?")
            .param(id)
            .query((row, number) ->
                new Stocked(
                    row.getInt(1),
                    row.getString(2),
                    row.getString(3),
                    row.getInt(4),
                    row.getBoolean(5)))
            .optional());
  }

  @GetMapping("/products")
  List<Product> products(@RequestParam(defaultValue = "0") int after, @RequestParam int limit) {
    return jdbc.sql(
            "select p.id, p.code, p.name, p.stock, p.active, p.rating, p.created, p.weight, b.id,"
                + " b.name from products p join brands b on b.id = p.brand_id where p.id > ?"
                + " order by p.id limit ?")
        .params(after, limit)
        .query(ShopController::product)
        .list();
  }

  /** By two statements: the prices of all at once. */
  @GetMapping("/catalog")
  List<Listed> catalog(@RequestParam(defaultValue = "0") int after, @RequestParam int limit) {
    var products = products(after, limit);
    var prices = new HashMap<Integer, List<Price>>();
    jdbc.sql("select product_id, currency, amount from prices where product_id in (:ids)")
        .param("ids", products.stream().map(Product::id).toList())
        .query(row -> {
          prices
              .computeIfAbsent(row.getInt(1), key -> new ArrayList<>())
              .add(new Price(row.getString(2), row.getBigDecimal(3)));
        });
    return products.stream()
        .map(product -> new Listed(product, prices.getOrDefault(product.id(), List.of())))
        .toList();
  }

  @PostMapping("/visits")
  @ResponseStatus(HttpStatus.CREATED)
  Visit addVisit(@RequestBody NewVisit visit) {
    var keys = new GeneratedKeyHolder();
    jdbc.sql("insert into visits (product_id, note) values (?, ?)")
        .params(visit.productId(), visit.note())
        .update(keys, "id");
    return new Visit(Objects.requireNonNull(keys.getKey()).longValue(), visit.note());
  }

  private static Product product(ResultSet row, int number) throws SQLException {
    return new Product(
        row.getInt(1),
        row.getString(2),
        row.getString(3),
        row.getInt(4),
        row.getBoolean(5),
        row.getDouble(6),
        row.getObject(7, LocalDateTime.class),
        row.getBigDecimal(8),
        new Brand(row.getInt(9), row.getString(10)));
  }
}
