// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Stored routines over the tables {@code brands}, {@code products} and {@code prices}, for tests of
 * protocols: one that returns a value, one that returns rows, one that writes and may raise an
 * error, one that returns nothing.
 */
public final class ShopRoutines {

  private static final String OF_POSTGRES =
      """
      create function price_with_tax(p1 numeric, p2 numeric) returns numeric language sql immutable
        as 'select round(p1 * (1 + p2 / 100), 2)';
      create function cheapest(p1 int) returns table (id int, name varchar) language sql stable
        as 'select id, name from products where price > 0 order by price, id limit p1';
      create function add_brand(p1 int, p2 varchar) returns int language plpgsql as
        $$ begin insert into brands (id, name) values (p1, p2); if p2 = 'forbidden' then
        raise exception 'Not this brand: %', p2; end if; return p1; end $$;
      create procedure forget_prices() language sql as 'delete from prices';
      """;

  private ShopRoutines() {}

  /** The statements that create them on PostgreSQL, each ended by a semicolon and a line break. */
  public static String ofPostgres() {
    return OF_POSTGRES;
  }

  /** The same for an H2 in this process. */
  public static String ofH2() {
    return alias("price_with_tax", "deterministic", "tax")
        + alias("cheapest", "deterministic", "cheapest")
        + alias("add_brand", "", "addBrand")
        + alias("forget_prices", "", "forgetPrices");
  }

  private static String alias(String name, String kind, String method) {
    return "create alias %s %s for '%s.%s';\n"
        .formatted(name, kind, ShopRoutines.class.getName(), method);
  }

  /** An alias of H2. */
  public static BigDecimal tax(BigDecimal price, BigDecimal percent) {
    var factor = percent.movePointLeft(2).add(BigDecimal.ONE);
    return price.multiply(factor).setScale(2, RoundingMode.HALF_UP);
  }

  /** An alias of H2. */
  public static ResultSet cheapest(Connection connection, int limit) throws SQLException {
    var statement =
        connection.prepareStatement(
            "select id, name from products where price > 0 order by price, id limit ?");
    statement.setInt(1, limit);
    return statement.executeQuery();
  }

  /** An alias of H2. */
  public static int addBrand(Connection connection, int id, String name) throws SQLException {
    try (var insert = connection.prepareStatement("insert into brands (id, name) values (?, ?)")) {
      insert.setInt(1, id);
      insert.setString(2, name);
      insert.executeUpdate();
    }
    if (name.equals("forbidden")) {
      throw new SQLException("Not this brand: " + name, "45000");
    }
    return id;
  }

  /** An alias of H2. */
  public static void forgetPrices(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("delete from prices");
    }
  }
}
