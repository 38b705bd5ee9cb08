// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.time.Duration;

/**
 * The limits that hold for all protocols. Each key of the configuration is a component's name in
 * kebab-case.
 */
public record Limits(
    @Description("Largest request body, in bytes; a larger one is answered 413.") int maxBodyBytes,
    @Description("Largest request head, in bytes; a larger one is answered 431.")
        int maxHeaderBytes,
    @Description("Longest path and query, in bytes; a longer one is answered 414.") int maxUrlBytes,
    @Description(
            "Connections at one time; on 16 more, only /system/* is answered, and all else 503.")
        int maxConnections,
    @Description("How long a connection may stay open without a request.") Duration idleTimeout,
    @Description(
            "How long a request may take, from its first byte to the last of its answer; then its"
                + " statement is cancelled.")
        Duration requestTimeout,
    @Description(
            "How often a WebSocket or event stream on which nothing happens gets a sign of life.")
        Duration heartbeat,
    @Description("How long a client may take to read one message; then it is cut off.")
        Duration slowClientTimeout,
    @Description("Largest message to a WebSocket or event stream, in bytes; held in memory.")
        int maxMessageBytes,
    @Description("Rows of one answer, nested ones included; more are an error.") int maxRows,
    @Description("Rows that one answer may hold in memory, as one with nested rows must.")
        int maxHeldRows,
    @Description("Bytes of one answer; more are an error.") long maxAnswerBytes,
    @Description("How deep a filter or a selection may be nested.") int maxDepth,
    @Description(
            "Estimated cost of one request: for each list and object rows x (columns + what is"
                + " nested in each row). See GraphQL, Limits.")
        long maxCost,
    @Description("Rows that a list without a limit is taken for in the estimate of the cost.")
        int estimatedRows,
    @Description(
            "Answers and transactions that wait for their clients at one time while the database"
                + " waits for them; one more cuts off the one that has waited longest.")
        int maxPaused) {

  /** Safe for a port that strangers reach. */
  public static final Limits DEFAULT =
      new Limits(
          1 << 20,
          32 << 10,
          16 << 10,
          10_000,
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          8 << 20,
          1_000_000,
          100_000,
          256 << 20,
          50,
          100_000_000,
          50,
          200);

  public Limits {
    requireAtLeast("max-body-bytes", maxBodyBytes, 1);
    requireAtLeast("max-header-bytes", maxHeaderBytes, 512);
    requireAtLeast("max-url-bytes", maxUrlBytes, 64);
    requireAtLeast("max-connections", maxConnections, 1);
    requireAtLeast("max-rows", maxRows, 1);
    requireAtLeast("max-held-rows", maxHeldRows, 1);
    requireAtLeast("max-answer-bytes", maxAnswerBytes, 1);
    requireAtLeast("max-depth", maxDepth, 1);
    requireAtLeast("max-cost", maxCost, 1);
    requireAtLeast("estimated-rows", estimatedRows, 1);
    requireAtLeast("max-paused", maxPaused, 1);
    requirePositive("idle-timeout", idleTimeout);
    requirePositive("request-timeout", requestTimeout);
    requirePositive("heartbeat", heartbeat);
    requirePositive("slow-client-timeout", slowClientTimeout);
    requireAtLeast("max-message-bytes", maxMessageBytes, 1);
  }

  public static void requireAtLeast(String key, long value, long least) {
    if (value < least) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          key + " is " + value + "; expected a number of at least " + least);
    }
  }

  public static void requirePositive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          key + " is " + value + "; expected a duration above zero such as 30s");
    }
  }

  public static void requireNotNegative(String key, Duration value) {
    if (value.isNegative()) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION, key + " is " + value + "; expected 0s or more");
    }
  }

  public Limits withMaxBodyBytes(int bytes) {
    return with(bytes, requestTimeout, maxRows, maxAnswerBytes, maxCost);
  }

  public Limits withRequestTimeout(Duration timeout) {
    return with(maxBodyBytes, timeout, maxRows, maxAnswerBytes, maxCost);
  }

  public Limits withMaxRows(int rows) {
    return with(maxBodyBytes, requestTimeout, rows, maxAnswerBytes, maxCost);
  }

  public Limits withMaxAnswerBytes(long bytes) {
    return with(maxBodyBytes, requestTimeout, maxRows, bytes, maxCost);
  }

  public Limits withMaxCost(long cost) {
    return with(maxBodyBytes, requestTimeout, maxRows, maxAnswerBytes, cost);
  }

  /** The limit {@code max-depth}, as it is checked. */
  public NestingLimit nesting() {
    return new NestingLimit(maxDepth);
  }

  private Limits with(int body, Duration timeout, int rows, long bytes, long cost) {
    return new Limits(
        body,
        maxHeaderBytes,
        maxUrlBytes,
        maxConnections,
        idleTimeout,
        timeout,
        heartbeat,
        slowClientTimeout,
        maxMessageBytes,
        rows,
        maxHeldRows,
        bytes,
        maxDepth,
        cost,
        estimatedRows,
        maxPaused);
  }
}
