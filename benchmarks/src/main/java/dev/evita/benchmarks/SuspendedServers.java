// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.Report.Figure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Servers of which all but the one that is measured stand still, and what was measured of each.
 * They are warmed up with the whole machine, as their JIT takes long on the one core that they have
 * afterwards; what they know of the machine is one core from the beginning.
 *
 * <p>Not thread-safe. Whoever made it closes it, and with it the servers.
 */
final class SuspendedServers<S extends Subject> implements AutoCloseable {

  private static final int WARM_UP_SECONDS = 2;
  private static final int LONGEST_WARM_UP_SECONDS = 60;

  /** It is warm when this many runs in a row were no better than the best by more than this. */
  private static final int STEADY_RUNS = 3;

  private static final double STEADY = 1.03;

  /** Options of the servers' JVMs. */
  private static final List<String> JVM =
      ServerProcess.with(ServerProcess.HEAP, "-XX:ActiveProcessorCount=1");

  /** One step of measuring one server, which goes on meanwhile. */
  interface Step<S> {
    void measure(S subject, ServerProcess server) throws IOException, InterruptedException;
  }

  private final Map<S, ServerProcess> servers = new LinkedHashMap<>();
  private final Map<S, Map<String, List<Double>>> samples = new HashMap<>();
  private final Map<String, String> units = new LinkedHashMap<>();
  private final Map<S, Exception> failed = new LinkedHashMap<>();

  /** Options of the servers' JVMs, as shown in results. */
  static String jvm() {
    return String.join(" ", ServerProcess.all(JVM));
  }

  /**
   * Starts another one, and lets it be warmed up before it stands still. One that fails is left out
   * from then on.
   */
  void start(S subject, Step<S> warmUp) throws InterruptedException {
    try {
      var server = subject.start(ServerProcess.Cores.ALL, JVM);
      servers.put(subject, server);
      warmUp.measure(subject, server);
      server.confine(ServerProcess.Cores.FIRST);
      server.stop();
    } catch (IOException | RuntimeException e) {
      leaveOut(subject, e);
    }
  }

  private void leaveOut(S subject, Exception exception) {
    System.err.println(subject.title() + " is left out: " + exception);
    failed.put(subject, exception);
    var server = servers.remove(subject);
    if (server != null) {
      server.close();
    }
  }

  /**
   * Asks until the rate no longer rises.
   *
   * @param least how many requests, with margin for the JIT
   */
  static void warmUp(String name, ServerProcess server, Load load, HttpProbe ask, long least)
      throws IOException, InterruptedException {
    var best = 0.0;
    var steady = 0;
    var spent = 0;
    var requests = 0L;
    while ((steady < STEADY_RUNS || requests < least) && spent < LONGEST_WARM_UP_SECONDS) {
      var run = load.run(server.port(), ask, WARM_UP_SECONDS);
      steady = run.perSecond() > best * STEADY ? 0 : steady + 1;
      best = Math.max(best, run.perSecond());
      requests += run.requests();
      spent += WARM_UP_SECONDS;
    }
    System.out.printf(
        Locale.ROOT, "warm in %2d s  %-40s %,10.0f req/s on all cores%n", spent, name, best);
  }

  /**
   * Measures each in turn; another one begins in each round. One that fails is left out from then
   * on.
   */
  void inTurn(int round, Step<S> step) throws InterruptedException {
    var all = new ArrayList<>(servers.keySet());
    Collections.rotate(all, round);
    for (var subject : all) {
      var server = Objects.requireNonNull(servers.get(subject));
      try {
        server.resume();
        step.measure(subject, server);
        server.stop();
      } catch (IOException | RuntimeException e) {
        leaveOut(subject, e);
      }
    }
  }

  void add(S subject, String column, String unit, double value) {
    units.put(column, unit);
    samples
        .computeIfAbsent(subject, key -> new LinkedHashMap<>())
        .computeIfAbsent(column, key -> new ArrayList<>())
        .add(value);
  }

  /** Writes all that was measured so far, and what failed. */
  void write(Report report) throws IOException {
    units.forEach((column, unit) ->
        samples.forEach((subject, columns) -> {
          var values = columns.get(column);
          if (values != null) {
            report.add(subject, column, Figure.of(values, unit));
          }
        }));
    failed.forEach(report::failed);
    report.write();
  }

  @Override
  public void close() {
    servers.values().forEach(ServerProcess::close);
  }
}
