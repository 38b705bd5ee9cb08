// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A server with a thousand products in a process of its own. Prints its port; then, for each line
 * on its standard input, the bytes of heap in use after a collection, of direct memory, and of
 * resident memory.
 */
final class LiveServer {

  private static final String URL = "jdbc:h2:mem:live";

  private LiveServer() {}

  public static void main(String[] arguments) throws IOException, SQLException {
    try (var keep = DriverManager.getConnection(URL);
        var statement = keep.createStatement()) {
      statement.execute(
          "create table products (id int primary key, name varchar, stock int not null);"
              + "create table brands (id int primary key, name varchar);"
              + "insert into products select x, 'Product ' || x, 0 from system_range(1, 1000);"
              + "insert into brands select x, 'Brand ' || x from system_range(1, 20000)");
      serve();
    }
  }

  private static void serve() throws IOException {
    var limits = Limits.builder().maxConnections(20_000).build();
    try (var engine = JdbcEngine.open(URL);
        var server =
            ExternalApiServer.over(engine)
                .options(ServerOptions.builder().limits(limits).build())
                .start();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(server.port());
      while (lines.readLine() != null) {
        System.out.println(heap() + " " + direct() + " " + resident());
      }
    }
  }

  private static long heap() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static long resident() throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return 0;
  }
}
