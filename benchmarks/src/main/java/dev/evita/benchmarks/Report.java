// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.svg.SVGGraphics2D;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What was measured of several servers: a figure for each of them and each thing that was looked
 * at. It is written as JSON, as a table in Markdown with the published figures beside, and as a
 * chart. Not thread-safe.
 */
final class Report {

  /** The unit of rates. */
  static final String PER_SECOND = "1/s";

  /** Why a row is empty that could have been measured. */
  static final String NOT_SELECTED = "not run: not selected";

  private static final int LONGEST_REASON = 300;
  private static final int WIDTH_PIXELS = 900;
  private static final int TITLE_PIXELS = 120;
  private static final int BAR_PIXELS = 26;
  private static final int LINES_HEIGHT_PIXELS = 700;
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /**
   * What stands for several measurements.
   *
   * @param value their median, or their mean where that is JMH's score
   * @param unit of all
   * @param samples all of them, in the order in which they were taken
   */
  record Figure(double value, double lowest, double highest, String unit, List<Double> samples) {

    Figure {
      samples = List.copyOf(samples);
    }

    static Figure of(List<Double> rounds, String unit) {
      return of(Median.of(rounds), rounds, unit);
    }

    static Figure single(double value, String unit) {
      return of(value, List.of(value), unit);
    }

    static Figure meanOf(List<Double> values, String unit) {
      return of(
          values.stream().mapToDouble(Double::doubleValue).average().orElseThrow(), values, unit);
    }

    private static Figure of(double value, List<Double> samples, String unit) {
      return new Figure(value, Collections.min(samples), Collections.max(samples), unit, samples);
    }
  }

  private final Path directory;
  private final String name;
  private final String title;
  private final Machine machine;
  private final Map<String, Object> settings;
  private final Map<String, String> notRun;
  private final Map<Subject, Map<String, Figure>> figures = new LinkedHashMap<>();
  private final LinkedHashSet<String> columns = new LinkedHashSet<>();
  private @Nullable Supplier<JFreeChart> chart;

  /**
   * @param results where the results of all machines are
   * @param name of the files
   * @param settings by which it can be repeated
   * @param notRun what is not measured, and why
   */
  Report(
      Path results,
      String name,
      String title,
      Map<String, Object> settings,
      Map<String, String> notRun)
      throws IOException, InterruptedException {
    this.machine = Machine.here();
    this.directory = machine.directory(results);
    this.name = name;
    this.title = title;
    this.settings = settings;
    this.notRun = new TreeMap<>(notRun);
  }

  /** Replaces the chart of the first column. */
  void chart(Supplier<JFreeChart> other) {
    chart = other;
  }

  /** It failed, or did so in the middle: it keeps a row, with the reason. */
  void failed(Subject subject, Throwable failure) {
    var reason = figures.containsKey(subject) ? "not run to the end: " : "not run: ";
    notRun.put(subject.title(), reason + inOneLine(failure));
  }

  /** A table's cell holds no line break and no bar. */
  private static String inOneLine(Throwable failure) {
    var text = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    var line = text.replace("|", "/").replaceAll("\\s+", " ").strip();
    return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "...";
  }

  void add(Subject subject, String column, Figure figure) {
    columns.add(column);
    figures.computeIfAbsent(subject, key -> new LinkedHashMap<>()).put(column, figure);
  }

  /**
   * Writes all that is there so far; what stood in the files before is replaced, but not by
   * nothing.
   */
  void write() throws IOException {
    if (figures.isEmpty()) {
      return;
    }
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(name + ".json"), json() + "\n");
    Files.writeString(directory.resolve(name + ".md"), markdown());
    chart();
  }

  /** Writes the last state, tells where it is, and returns the exit status: 1 if there is none. */
  int end() throws IOException {
    write();
    notRun.forEach((server, reason) -> System.out.println(server + ": " + reason));
    if (figures.isEmpty()) {
      System.err.println("nothing was measured, and nothing written");
      return 1;
    }
    System.out.println("written: " + directory.resolve(name) + ".json, .md and .svg");
    return 0;
  }

  private String json() throws IOException {
    var servers = new ArrayList<Map<String, Object>>();
    for (var subject : figures.keySet()) {
      var server = new LinkedHashMap<String, Object>();
      server.put("server", subject.title());
      server.put("version", subject.version());
      server.put("figures", figures.get(subject));
      servers.add(server);
    }
    var all = new LinkedHashMap<String, Object>();
    all.put("title", title);
    all.put("machine", machine.asMap());
    all.put("settings", settings);
    all.put("notRun", notRun);
    all.put("servers", servers);
    return JSON.writeValueAsString(all);
  }

  /** By the first column, the best first: of rates the highest, of all else the lowest. */
  private List<Subject> ranked() {
    var column = columns.getFirst();
    var byValue = Comparator.<Subject>comparingDouble(each -> value(each, column));
    var rates =
        figures.values().stream()
            .map(row -> row.get(column))
            .anyMatch(figure -> figure != null && figure.unit().equals(PER_SECOND));
    return figures.keySet().stream().sorted(rates ? byValue.reversed() : byValue).toList();
  }

  private double value(Subject subject, String column) {
    var figure = figures.get(subject).get(column);
    return figure == null ? 0 : figure.value();
  }

  private String markdown() throws IOException {
    var text = new StringBuilder("# ").append(title).append("\n\n");
    machine.asMap().forEach((key, value) -> line(text, key, value));
    settings.forEach((key, value) -> line(text, key, value));
    var published = figures.keySet().stream().anyMatch(each -> each.published().isPresent());
    text.append("\n| server | version |").append(published ? " 2023: ops/s | 2023: us/op |" : "");
    columns.forEach(column -> text.append(' ').append(column).append(" |"));
    text.append("\n|---|---|").append("---|".repeat(columns.size() + (published ? 2 : 0)));
    text.append('\n');
    for (var subject : columns.isEmpty() ? List.<Subject>of() : ranked()) {
      row(text, subject, published);
    }
    notRun.forEach((server, reason) ->
        text.append("| ").append(server).append(" | ").append(reason).append(" |\n"));
    return text.toString();
  }

  private static void line(StringBuilder text, String key, Object value) {
    text.append("- ").append(key).append(": ").append(value).append('\n');
  }

  private void row(StringBuilder text, Subject subject, boolean published) throws IOException {
    text.append("| ").append(subject.title()).append(" | ").append(subject.version()).append(" |");
    if (published) {
      var then = subject.published();
      text.append(' ').append(then.map(each -> "" + each.perSecond()).orElse("")).append(" |");
      text.append(' ').append(then.map(each -> "" + each.micros()).orElse("")).append(" |");
    }
    for (var column : columns) {
      text.append(' ').append(cell(figures.get(subject).get(column))).append(" |");
    }
    text.append('\n');
  }

  private static String cell(@Nullable Figure figure) {
    if (figure == null) {
      return "";
    }
    var whole = figure.value() >= 100 || figure.value() == Math.rint(figure.value());
    var digits = whole ? "%,.0f" : "%,.1f";
    return figure.lowest() == figure.highest()
        ? String.format(Locale.ROOT, digits, figure.value())
        : String.format(
            Locale.ROOT,
            digits + " (" + digits + " to " + digits + ")",
            figure.value(),
            figure.lowest(),
            figure.highest());
  }

  private void chart() throws IOException {
    System.setProperty("java.awt.headless", "true");
    var height = chart == null ? TITLE_PIXELS + BAR_PIXELS * figures.size() : LINES_HEIGHT_PIXELS;
    var canvas = new SVGGraphics2D(WIDTH_PIXELS, height);
    var drawn = chart == null ? bars() : chart.get();
    drawn.draw(canvas, new Rectangle2D.Double(0, 0, WIDTH_PIXELS, height));
    Files.writeString(directory.resolve(name + ".svg"), canvas.getSVGDocument());
  }

  /** The first column, the best at the top. */
  private JFreeChart bars() {
    var column = columns.getFirst();
    var values = new DefaultCategoryDataset();
    for (var subject : ranked()) {
      values.addValue(value(subject, column), column, subject.title());
    }
    var drawn =
        ChartFactory.createBarChart(
            title, null, column, values, PlotOrientation.HORIZONTAL, false, false, false);
    var bars = (BarRenderer) drawn.getCategoryPlot().getRenderer();
    bars.setBarPainter(new StandardBarPainter());
    bars.setShadowVisible(false);
    bars.setDefaultItemLabelGenerator(
        new StandardCategoryItemLabelGenerator("{2}", NumberFormat.getInstance(Locale.ROOT)));
    var axis = (NumberAxis) drawn.getCategoryPlot().getRangeAxis();
    axis.setStandardTickUnits(NumberAxis.createStandardTickUnits(Locale.ROOT));
    bars.setDefaultItemLabelsVisible(true);
    return drawn;
  }
}
