// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.candidates.evita.EchoEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Queries end to end over a socket: request bytes in, answer bytes out, H2 in memory in the same
 * process. Run with {@code -prof gc}: {@code gc.alloc.rate.norm} is the whole server's allocation
 * per request, since the client allocates nothing.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 5, time = 5)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
@Threads(1)
public class GraphQlBenchmark {

  /** One server for all threads. */
  @State(Scope.Benchmark)
  public static class Server {
    private EmbeddedShop shop;
    private ExternalApiServer echo;

    @Setup
    public void start() {
      shop = new EmbeddedShop(0);
      echo = ExternalApiServer.over(new EchoEngine()).start();
    }

    @TearDown
    public void stop() {
      echo.close();
      shop.close();
    }
  }

  /** One connection per thread. */
  @State(Scope.Thread)
  public static class Clients {
    private KeepAliveClient byPk;
    private KeepAliveClient list;
    private KeepAliveClient echo;

    @Setup
    public void connect(Server server) throws IOException {
      byPk = new KeepAliveClient(server.shop.port(), EmbeddedShop.BY_PK);
      list = new KeepAliveClient(server.shop.port(), EmbeddedShop.LIST);
      echo = new KeepAliveClient(server.echo.port(), PairedComparison.ECHO);
    }

    @TearDown
    public void disconnect() throws IOException {
      byPk.close();
      list.close();
      echo.close();
    }
  }

  /** {@code echo}: what the HTTP layer costs, without a database. */
  @Benchmark
  public int echo(Clients clients) throws IOException {
    return clients.echo.send();
  }

  /** {@code products_by_pk}: one row of five columns by its key. */
  @Benchmark
  public int byPk(Clients clients) throws IOException {
    return clients.byPk.send();
  }

  /** A list of 20 with two nested relationships: three statements. */
  @Benchmark
  public int list(Clients clients) throws IOException {
    return clients.list.send();
  }
}
