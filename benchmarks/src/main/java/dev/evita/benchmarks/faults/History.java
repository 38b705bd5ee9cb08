// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import dev.evita.benchmarks.faults.Attempt.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The actions of clients, probe and faults, in recording order. Thread-safe. */
final class History {

  /**
   * An answer of the readiness probe.
   *
   * @param readiness UP, the error code that says why not, or nothing where there was no answer
   * @param nanos when it was asked, by {@link System#nanoTime}
   */
  record Sample(String readiness, long nanos) {

    boolean isUp() {
      return readiness.equals("UP");
    }
  }

  /**
   * A fault.
   *
   * @param beganNanos before its beginning
   * @param endedNanos after its cause was removed
   * @param recoveredNanos when writes begun after the end had been acknowledged
   */
  record Strike(Fault fault, long beganNanos, long endedNanos, long recoveredNanos) {}

  private final long beganNanos = System.nanoTime();

  // The lists are guarded by this.
  private final List<RecordedWrite> operations = new ArrayList<>();
  private final List<Attempt> attempts = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final List<Strike> strikes = new ArrayList<>();
  private final List<Long> stops = new ArrayList<>();
  private final Map<String, Long> reads = new ConcurrentHashMap<>();
  private volatile long lastDirect = Long.MIN_VALUE;
  private volatile long lastProxied = Long.MIN_VALUE;

  /** Records an operation before its first request leaves. */
  synchronized void begin(RecordedWrite operation) {
    operations.add(operation);
  }

  synchronized void add(Attempt attempt) {
    attempts.add(attempt);
    if (attempt.outcome() == Outcome.ACKNOWLEDGED) {
      if (attempt.proxied()) {
        lastProxied = Math.max(lastProxied, attempt.beganNanos());
      } else {
        lastDirect = Math.max(lastDirect, attempt.beganNanos());
      }
    }
  }

  synchronized void add(Sample sample) {
    samples.add(sample);
  }

  synchronized void add(Strike strike) {
    strikes.add(strike);
  }

  /** Records that the process of the server has ended. */
  synchronized void stopped() {
    stops.add(System.nanoTime());
  }

  /** Records that a client had read a row of this operation at this time. */
  void read(String operation, long nanos) {
    reads.putIfAbsent(operation, nanos);
  }

  /** A time of this history, in seconds from its beginning. */
  double seconds(long nanos) {
    return (nanos - beganNanos) / 1e9;
  }

  /**
   * Whether a request that began after this time was acknowledged, both directly and by way of the
   * proxy.
   */
  boolean acknowledgedSince(long nanos) {
    return lastDirect > nanos && lastProxied > nanos;
  }

  /** The beginning of the youngest request that was acknowledged. */
  long lastAcknowledgedNanos() {
    return Math.max(lastDirect, lastProxied);
  }

  synchronized List<RecordedWrite> operations() {
    return List.copyOf(operations);
  }

  synchronized List<Attempt> attempts() {
    return List.copyOf(attempts);
  }

  synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }

  synchronized List<Strike> strikes() {
    return List.copyOf(strikes);
  }

  /** The times at which server processes ended, in order. */
  synchronized List<Long> stops() {
    return List.copyOf(stops);
  }

  /** The operations of which clients read rows, and when first. */
  Map<String, Long> reads() {
    return Map.copyOf(reads);
  }
}
