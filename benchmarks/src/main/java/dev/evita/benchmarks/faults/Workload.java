// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import dev.evita.benchmarks.faults.Attempt.Outcome;
import dev.evita.benchmarks.faults.Attempt.Reply;
import dev.evita.benchmarks.faults.History.Sample;
import dev.evita.benchmarks.faults.RecordedWrite.Protocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Writers of all protocols, with and without idempotency keys, direct and by way of a proxy; two
 * readers; and a probe of readiness. All that they see is recorded.
 */
final class Workload {

  /** One for each protocol, with a key and without, direct and by way of the proxy. */
  static final int WRITERS = Protocol.values().length * 2 * 2;

  private static final Duration BETWEEN_WRITES = Duration.ofMillis(10);
  private static final Duration BETWEEN_READS = Duration.ofMillis(50);
  private static final Duration BETWEEN_PROBES = Duration.ofMillis(100);
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(50);
  private static final Duration LAST_WRITES = Duration.ofSeconds(60);
  private static final Pattern READ_ID = Pattern.compile("\"op\":\"([^\"]+)\"");

  private final History history;
  private final ServerUnderTest server;
  private final Client direct;
  private final Client proxied;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean running = true;

  Workload(History history, ServerUnderTest server, Client direct, Client proxied) {
    this.history = history;
    this.server = server;
    this.direct = direct;
    this.proxied = proxied;
  }

  void start() {
    for (int writer = 0; writer < WRITERS; writer++) {
      var number = writer;
      start("writer " + writer, () -> write(number));
    }
    start("reader", () -> read(direct));
    start("reader behind the proxy", () -> read(proxied));
    start("probe", this::probe);
  }

  /** The loop of one thread until the end. */
  @FunctionalInterface
  private interface Loop {
    void run() throws InterruptedException;
  }

  private void start(String name, Loop loop) {
    threads.add(
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .start(() -> {
              try {
                loop.run();
              } catch (InterruptedException e) {
                // The run is over.
              }
            }));
  }

  private void write(int writer) throws InterruptedException {
    var protocol = Protocol.values()[writer % Protocol.values().length];
    var keyed = writer / Protocol.values().length % 2 == 0;
    var viaProxy = writer < WRITERS / 2;
    for (int count = 0; running; count++) {
      var operation = new RecordedWrite("w" + writer + "-" + count, writer, protocol, keyed);
      history.begin(operation);
      while (!send(operation, viaProxy) && keyed) {
        Thread.sleep(BETWEEN_ATTEMPTS);
      }
      Thread.sleep(BETWEEN_WRITES);
    }
  }

  /** Whether it was acknowledged. */
  private boolean send(RecordedWrite operation, boolean viaProxy) throws InterruptedException {
    var began = System.nanoTime();
    Reply reply = (viaProxy ? proxied : direct).send(operation);
    history.add(
        new Attempt(
            operation,
            viaProxy,
            reply.outcome(),
            reply.answer(),
            reply.text(),
            began,
            System.nanoTime()));
    return reply.outcome() == Outcome.ACKNOWLEDGED;
  }

  private void read(Client client) throws InterruptedException {
    while (running) {
      var ids = READ_ID.matcher(client.youngest());
      var now = System.nanoTime();
      while (ids.find()) {
        history.read(ids.group(1), now);
      }
      Thread.sleep(BETWEEN_READS);
    }
  }

  private void probe() throws InterruptedException {
    while (running) {
      var began = System.nanoTime();
      history.add(new Sample(server.readiness(), began));
      Thread.sleep(BETWEEN_PROBES);
    }
  }

  /**
   * Begins no more writes, and waits for those that were begun: each with a key is sent until it is
   * acknowledged.
   *
   * @return the threads that have not ended in time
   */
  List<String> stop() throws InterruptedException {
    running = false;
    var deadline = System.nanoTime() + LAST_WRITES.toNanos();
    var late = new ArrayList<String>();
    for (var thread : threads) {
      var left = Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
      if (!thread.join(left)) {
        late.add(thread.getName());
        thread.interrupt();
      }
    }
    return late;
  }
}
