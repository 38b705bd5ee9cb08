// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures that are not the caller's: each distinct one once with its stack trace, then its
 * number of recurrences once per {@link #INTERVAL}. So a burst of failures does not fill the disk
 * that may be its cause. Thread-safe.
 */
public final class FaultLog {

  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

  static final Duration INTERVAL = Duration.ofSeconds(30);

  /** The number of intervals without a fault after which its stack trace is logged again. */
  private static final int QUIET_INTERVALS = 20;

  /** Messages contain clients' input; beyond this number, faults of one code count as one. */
  private static final int MAX_DISTINCT = 200;

  private static final int MAX_MESSAGE = 200;

  /** The parts that vary between two occurrences of one fault. */
  private static final Pattern VARYING = Pattern.compile("[0-9]+|\"[^\"]*\"|'[^']*'|\\([^)]*\\)");

  /**
   * @param place the code location where the failure was thrown; empty if unknown
   */
  private record Fault(ErrorCode code, String kind, String message, String place) {

    static Fault of(EvitaException problem, Throwable failure) {
      var root = root(failure);
      var frames = root.getStackTrace();
      return new Fault(
          problem.code(),
          root.getClass().getName(),
          shortened(VARYING.matcher(String.valueOf(root.getMessage())).replaceAll("?")),
          frames.length == 0 ? "" : frames[0].toString());
    }

    private static Throwable root(Throwable failure) {
      var root = failure;
      for (int i = 0; i < MAX_MESSAGE && root.getCause() != null; i++) {
        root = root.getCause();
      }
      return root;
    }

    private static String shortened(String text) {
      return text.length() > MAX_MESSAGE ? text.substring(0, MAX_MESSAGE) : text;
    }

    Fault ofCode() {
      return new Fault(code, "", "", "");
    }
  }

  private static final class Count {
    final String id = UUID.randomUUID().toString();
    final String message;
    final AtomicInteger again = new AtomicInteger();
    int quiet;

    Count(String message) {
      this.message = message;
    }
  }

  private final ConcurrentHashMap<Fault, Count> faults = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;
  private long reportedNanos;

  public FaultLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.reportedNanos = nanoTime.getAsLong();
  }

  /**
   * Logs a failure unless it is the caller's or caused by limited resources. An exhausted pool is
   * logged too, as only its operator can change that.
   *
   * @return an exception that may be sent to the client: the failure itself if it is an {@code
   *     EvitaException}, else {@code INTERNAL} with the id under which it is logged
   */
  public EvitaException report(Throwable failure) {
    var problem = EvitaException.from(failure);
    return switch (problem.code().category()) {
      case USER -> problem;
      case RESOURCES -> {
        if (problem.code() == ErrorCode.POOL_EXHAUSTED) {
          count(problem, failure);
        }
        yield problem;
      }
      case EXTERNAL -> {
        if (problem.code() != ErrorCode.CLIENT_GONE) {
          count(problem, failure);
        }
        yield problem;
      }
      case INTERNAL ->
          new EvitaException(
              ErrorCode.INTERNAL,
              "Internal error; the server's log has the cause under " + count(problem, failure).id,
              failure);
    };
  }

  private Count count(EvitaException problem, Throwable failure) {
    var fault = Fault.of(problem, failure);
    var known = faults.get(fault);
    if (known == null && faults.size() >= MAX_DISTINCT) {
      fault = fault.ofCode();
      known = faults.get(fault);
    }
    if (known == null) {
      var created = new Count(problem.code() + ": " + problem.publicMessage());
      known = faults.putIfAbsent(fault, created);
      if (known == null) {
        log(problem, failure, created);
        return created;
      }
    }
    known.again.incrementAndGet();
    return known;
  }

  private static void log(EvitaException problem, Throwable failure, Count count) {
    if (problem.code().category() == ErrorCode.Category.INTERNAL) {
      LOG.error("Internal error {}", count.id, failure);
    } else {
      LOG.warn("{}", count.message, stackTraceOf(problem));
    }
  }

  /** Null for transaction conflicts, which are retried: a stack trace adds nothing. */
  private static @Nullable Throwable stackTraceOf(EvitaException problem) {
    return problem.code() == ErrorCode.SERIALIZATION_FAILURE ? null : problem.getCause();
  }

  /** Logs the counts once an interval is over. To be called periodically, by one thread. */
  void tick() {
    var now = nanoTime.getAsLong();
    if (now - reportedNanos >= INTERVAL.toNanos()) {
      reportedNanos = now;
      logCounts();
    }
  }

  /** Logs the counts so far. */
  void logCounts() {
    faults
        .entrySet()
        .removeIf(entry -> {
          var count = entry.getValue();
          var again = count.again.getAndSet(0);
          if (again > 0) {
            LOG.warn("{} more occurrences of {}", again, count.message);
            count.quiet = 0;
          }
          return again == 0 && ++count.quiet > QUIET_INTERVALS;
        });
  }
}
