// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What servers take beside time for requests: how long until the first answer, how much memory is
 * resident. JVMs as they come, with no option but {@link ServerProcess#UNSAFE}. Not thread-safe.
 */
final class Footprint {

  private static final int READ_BYTES = 4096;

  private final int rounds;
  private final int connections;
  private final int idleSeconds;

  /**
   * @param connections that are idle
   * @param idleSeconds before memory is looked at
   */
  Footprint(int rounds, int connections, int idleSeconds) {
    this.rounds = rounds;
    this.connections = connections;
    this.idleSeconds = idleSeconds;
  }

  /** Options of the servers' JVMs, as shown in results. */
  static String jvm() {
    return String.join(" ", ServerProcess.all(List.of()));
  }

  /**
   * Measures it by this request, whose answer tells its length.
   *
   * @return whether it could be; if not, the report tells why
   */
  boolean measure(Subject subject, HttpProbe ask, Report report) throws IOException {
    try {
      tryToMeasure(subject, ask, report);
      return true;
    } catch (IOException | RuntimeException e) {
      System.err.println(subject.title() + " is left out: " + e);
      report.failed(subject, e);
      report.write();
      return false;
    }
  }

  private void tryToMeasure(Subject subject, HttpProbe ask, Report report) throws IOException {
    var times = new ArrayList<Double>();
    var idle = new ArrayList<Double>();
    var connected = new ArrayList<Double>();
    for (int round = 0; round < rounds; round++) {
      try (var server = subject.start(ServerProcess.Cores.ALL, List.of())) {
        times.add(firstAnswerMillis(server, ask));
        rest();
        idle.add(server.residentMegabytes());
        if (round == 0) {
          connected.add(connectedMegabytes(server, ask));
        }
      }
    }
    report.add(subject, "first answer, ms", Report.Figure.of(times, "ms"));
    report.add(subject, "RSS idle, MB", Report.Figure.of(idle, "MB"));
    report.add(
        subject,
        String.format(Locale.ROOT, "RSS with %,d idle connections, MB", connections),
        Report.Figure.of(connected, "MB"));
    report.write();
    System.out.printf(
        Locale.ROOT,
        "%-28s first answer %s ms, %s MB; with connections %s MB%n",
        subject.title(),
        times,
        idle,
        connected);
  }

  private static double firstAnswerMillis(ServerProcess server, HttpProbe ask) throws IOException {
    try (var client = new KeepAliveClient(server.port(), ask)) {
      client.send();
    }
    return (System.nanoTime() - server.started()) / 1e6;
  }

  private void rest() {
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(idleSeconds));
  }

  /** Each has asked once, and is kept. */
  private double connectedMegabytes(ServerProcess server, HttpProbe ask) throws IOException {
    var open = new ArrayList<SocketChannel>();
    var request = ByteBuffer.wrap(ask.text().getBytes(StandardCharsets.US_ASCII));
    var answer = ByteBuffer.allocateDirect(READ_BYTES);
    try {
      for (int i = 0; i < connections; i++) {
        var channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", server.port()));
        open.add(channel);
        channel.write(request.rewind());
        if (channel.read(answer.clear()) < 0) {
          throw new IOException("connection " + i + " was closed");
        }
      }
      rest();
      return server.residentMegabytes();
    } finally {
      for (var channel : open) {
        channel.close();
      }
    }
  }
}
