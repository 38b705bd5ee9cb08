// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What H2 alone takes for the reads of the shop, by JDBC on one thread: statements prepared once,
 * every column read as an object. No server over it can take less. Each is measured with another
 * key for each read, and with one key, where H2 answers from the result of the read before.
 */
final class H2Floor implements AutoCloseable {

  private static final long WARM_UP_NANOS = 2_000_000_000;
  private static final int ROWS = 20;

  private final Connection connection;
  private final PreparedStatement product;
  private final PreparedStatement products;
  private final PreparedStatement prices;
  private long values;

  private H2Floor() throws SQLException {
    connection = DriverManager.getConnection("jdbc:h2:mem:floor");
    try (var statement = connection.createStatement()) {
      statement.execute(EmbeddedShop.script());
    }
    product =
        connection.prepareStatement(
            "select id, code, name, stock, active from products where id = ?");
    products =
        connection.prepareStatement(
            "select p.id, p.code, p.name, p.stock, p.active, p.rating, p.created, p.weight, b.id,"
                + " b.name from products p join brands b on b.id = p.brand_id where p.id > ?"
                + " order by p.id limit "
                + ROWS);
    prices =
        connection.prepareStatement(
            "select product_id, currency, amount from prices where product_id in ("
                + IntStream.range(0, ROWS).mapToObj(i -> "?").collect(Collectors.joining(", "))
                + ")");
  }

  private interface Read {
    void of(int key) throws SQLException;
  }

  private void byKey(int key) throws SQLException {
    product.setInt(1, key);
    read(product);
  }

  private void list(int after) throws SQLException {
    products.setInt(1, after);
    read(products);
    for (int i = 1; i <= ROWS; i++) {
      prices.setInt(i, after + i);
    }
    read(prices);
  }

  private void read(PreparedStatement statement) throws SQLException {
    try (var rows = statement.executeQuery()) {
      var columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (int i = 1; i <= columns; i++) {
          values += rows.getObject(i) == null ? 0 : 1;
        }
      }
    }
  }

  /** The processor's time for one read, in us. */
  private double micros(Read read, boolean varying, long nanos) throws SQLException {
    var threads = ManagementFactory.getThreadMXBean();
    var before = threads.getCurrentThreadCpuTime();
    var begun = System.nanoTime();
    var reads = 0L;
    while (System.nanoTime() - begun < nanos) {
      var random = ThreadLocalRandom.current();
      read.of(varying ? random.nextInt(HttpProbe.LEAST_KEY, HttpProbe.MOST_KEY) : HttpProbe.KEY);
      reads++;
    }
    return (threads.getCurrentThreadCpuTime() - before) / 1e3 / reads;
  }

  private void print(String title, Read read, long nanos) throws SQLException {
    for (var varying : List.of(true, false)) {
      micros(read, varying, WARM_UP_NANOS);
      System.out.printf(
          Locale.ROOT,
          "H2 alone, %s, %s: %.1f us%n",
          title,
          varying ? "another key each time" : "one key",
          micros(read, varying, nanos));
    }
  }

  /** Measures in a process of its own, on core 0. */
  static void measure(int seconds) throws IOException, InterruptedException {
    var command =
        ServerProcess.javaHere(
            H2Floor.class.getName(), ServerProcess.HEAP, String.valueOf(seconds));
    var status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IOException("H2 alone ended with status " + status);
    }
  }

  /** Argument: seconds. */
  public static void main(String[] arguments) throws SQLException {
    var nanos = Long.parseLong(arguments[0]) * 1_000_000_000L;
    try (var floor = new H2Floor()) {
      floor.print(ShopRequest.BY_KEY.title(), floor::byKey, nanos);
      floor.print(ShopRequest.LIST.title(), floor::list, nanos);
      System.out.printf(Locale.ROOT, "(%,d values)%n", floor.values);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
