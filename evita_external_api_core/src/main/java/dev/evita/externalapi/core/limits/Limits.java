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
    @Description("Largest request body, in bytes; a larger one gets 413.") int maxBodyBytes,
    @Description("Largest request head, in bytes; a larger one gets 431.") int maxHeaderBytes,
    @Description("Longest path and query, in bytes; a longer one gets 414.") int maxUrlBytes,
    @Description(
            "Concurrent connections; 16 further ones serve only /system/* and get 503 for the rest.")
        int maxConnections,
    @Description("How long a connection may stay open without a request.") Duration idleTimeout,
    @Description(
            "How long a request may take, from its first byte to the last of its response; then its"
                + " statement is cancelled.")
        Duration requestTimeout,
    @Description("Interval of keep-alive messages on an idle WebSocket or event stream.")
        Duration heartbeat,
    @Description("How long a client may take to read one message; then it is disconnected.")
        Duration slowClientTimeout,
    @Description("Largest message to a WebSocket or event stream, in bytes; held in memory.")
        int maxMessageBytes,
    @Description("Rows of one response, nested ones included; more are an error.") int maxRows,
    @Description("Rows that one response may buffer in memory, as those with nested rows are.")
        int maxHeldRows,
    @Description("Bytes of one response; more are an error.") long maxAnswerBytes,
    @Description("Maximum nesting depth of a filter or a selection.") int maxDepth,
    @Description(
            "Estimated cost of one request: for each list and object, rows x (columns + nested"
                + " costs). See GraphQL, Limits.")
        long maxCost,
    @Description("Assumed rows of a list without a limit, for the cost estimate.")
        int estimatedRows,
    @Description(
            "Responses and transactions that may wait for slow clients while requests wait for the"
                + " database; beyond it, the longest-waiting one is aborted.")
        int maxPaused) {

  /** Safe defaults for a port that untrusted clients can reach. */
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

  /** The limit {@code max-depth} as a check. */
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
