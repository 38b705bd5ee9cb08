// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springmvc;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
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
  List<Product> products(@RequestParam int limit) {
    return jdbc.sql(
            "select p.id, p.code, p.name, p.stock, p.active, p.rating, p.created, p.weight, b.id,"
                + " b.name from products p join brands b on b.id = p.brand_id order by p.id"
                + " limit ?")
        .param(limit)
        .query(ShopController::product)
        .list();
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
