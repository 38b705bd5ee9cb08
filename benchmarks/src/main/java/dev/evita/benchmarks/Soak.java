// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.svg.SVGGraphics2D;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * The server as it is started by its users, over H2 in a file, under requests of all protocols in
 * turn for half an hour: what it takes of memory meanwhile. Writes {@code soak.json} and {@code
 * .svg}.
 */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "all protocols for half an hour: memory, threads and errors")
final class Soak implements Callable<Integer> {

  private static final int CONNECTIONS = 16;
  private static final int WIDTH_PIXELS = 900;
  private static final int HEIGHT_PIXELS = 420;
  private static final double MEGABYTE = 1 << 20;
  private static final Path SCRIPT = Path.of("src/main/resources/dev/evita/benchmarks/shop.sql");

  /** Rows stay as many as they are: what is looked for is what the server keeps, not the tables. */
  private static final HttpProbe UPDATE =
      HttpProbe.graphQl(
          "mutation { update_products_by_pk(pk_columns: {id: 4711}, _inc: {stock: 1})"
              + " { id stock } }");

  /** A sample, in megabytes. */
  private record Sample(
      double seconds, String request, double perSecond, double heap, double direct, double rss) {}

  @Option(
      names = "--minutes",
      converter = BenchmarkOptions.Positive.class,
      description = "default: ${DEFAULT-VALUE}")
  private int minutes = 30;

  @Option(
      names = "--slice",
      converter = BenchmarkOptions.Positive.class,
      description = "seconds for a request (default: ${DEFAULT-VALUE})")
  private int slice = 5;

  @Option(
      names = "--results",
      description = "where the results are written (default: ${DEFAULT-VALUE})")
  private Path results = Path.of("results");

  private final List<Sample> samples = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    Programs.require("taskset", Load.Kind.closedLoop().program(), "h2load");
    var machine = Machine.here();
    var directory = Files.createTempDirectory("evita-soak-");
    var url = "jdbc:h2:file:" + directory.resolve("shop");
    fill(url);
    try (var server = ServerProcess.evita(url, ServerProcess.HEAP);
        var http = Load.Kind.closedLoop().start(CONNECTIONS);
        var grpc = Load.Kind.GRPC_STREAMS.start(CONNECTIONS);
        var monitor = server.monitor()) {
      var asks = new LinkedHashMap<>(ShopContestant.EVITA_GRAPHQL.asks());
      asks.remove(ShopRequest.INSERT);
      var requests = new LinkedHashMap<String, HttpProbe>();
      asks.forEach((request, ask) -> requests.put("GraphQL " + request.title(), ask));
      requests.put("GraphQL update", UPDATE);
      requests.put("REST by key", EmbeddedShop.REST_BY_PK);
      requests.put("REST list of 20", EmbeddedShop.REST_LIST);
      requests.put("gRPC by key", ShopContestant.EVITA_GRPC.asks().get(ShopRequest.BY_KEY));
      var begin = System.nanoTime();
      while (System.nanoTime() - begin < minutes * 60e9) {
        for (var request : requests.entrySet()) {
          var load = request.getValue().isGrpc() ? grpc : http;
          var result = load.run(server.port(), request.getValue(), slice);
          samples.add(
              new Sample(
                  (System.nanoTime() - begin) / 1e9,
                  request.getKey(),
                  result.perSecond(),
                  monitor.heapBytes() / MEGABYTE,
                  monitor.directBytes() / MEGABYTE,
                  server.residentMegabytes()));
          System.out.println(samples.getLast());
        }
        write(machine);
      }
    }
    try (var files = Files.list(directory)) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
    System.out.println("written: " + machine.directory(results).resolve("soak") + ".json and .svg");
    return 0;
  }

  private static void fill(String url) throws IOException, SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(Files.readString(SCRIPT));
    }
  }

  private void write(Machine machine) throws IOException {
    var directory = machine.directory(results);
    Files.createDirectories(directory);
    var all = Map.of("machine", machine.asMap(), "heap (MB)", 512, "samples", samples);
    Files.writeString(
        directory.resolve("soak.json"), JsonMapper.shared().writeValueAsString(all) + "\n");
    var lines = new XYSeriesCollection();
    lines.addSeries(line("resident", Sample::rss));
    lines.addSeries(line("heap, with what could be collected", Sample::heap));
    lines.addSeries(line("direct buffers", Sample::direct));
    var chart =
        ChartFactory.createXYLineChart(
            "Memory under load, heap of 512 MB",
            "minutes",
            "MB",
            lines,
            PlotOrientation.VERTICAL,
            true,
            false,
            false);
    var canvas = new SVGGraphics2D(WIDTH_PIXELS, HEIGHT_PIXELS);
    chart.draw(canvas, new Rectangle2D.Double(0, 0, WIDTH_PIXELS, HEIGHT_PIXELS));
    Files.writeString(directory.resolve("soak.svg"), canvas.getSVGDocument());
  }

  private XYSeries line(String name, ToDoubleFunction<Sample> figure) {
    var line = new XYSeries(name);
    samples.forEach(each -> line.add(each.seconds() / 60, figure.applyAsDouble(each)));
    return line;
  }
}
