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
  public static final Limits DEFAULT = builder().build();

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

  /** The limit {@code max-depth} as a check. */
  public DepthLimit depthLimit() {
    return new DepthLimit(maxDepth);
  }

  /** Starts from {@link #DEFAULT}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Starts from these values. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Sets each component by its name. Not thread-safe. */
  public static final class Builder {
    private int maxBodyBytes = 1 << 20;
    private int maxHeaderBytes = 32 << 10;
    private int maxUrlBytes = 16 << 10;
    private int maxConnections = 10_000;
    private Duration idleTimeout = Duration.ofSeconds(60);
    private Duration requestTimeout = Duration.ofSeconds(30);
    private Duration heartbeat = Duration.ofSeconds(15);
    private Duration slowClientTimeout = Duration.ofSeconds(30);
    private int maxMessageBytes = 8 << 20;
    private int maxRows = 1_000_000;
    private int maxHeldRows = 100_000;
    private long maxAnswerBytes = 256 << 20;
    private int maxDepth = 50;
    private long maxCost = 100_000_000;
    private int estimatedRows = 50;
    private int maxPaused = 200;

    private Builder() {}

    private Builder(Limits from) {
      maxBodyBytes = from.maxBodyBytes;
      maxHeaderBytes = from.maxHeaderBytes;
      maxUrlBytes = from.maxUrlBytes;
      maxConnections = from.maxConnections;
      idleTimeout = from.idleTimeout;
      requestTimeout = from.requestTimeout;
      heartbeat = from.heartbeat;
      slowClientTimeout = from.slowClientTimeout;
      maxMessageBytes = from.maxMessageBytes;
      maxRows = from.maxRows;
      maxHeldRows = from.maxHeldRows;
      maxAnswerBytes = from.maxAnswerBytes;
      maxDepth = from.maxDepth;
      maxCost = from.maxCost;
      estimatedRows = from.estimatedRows;
      maxPaused = from.maxPaused;
    }

    public Builder maxBodyBytes(int value) {
      maxBodyBytes = value;
      return this;
    }

    public Builder maxHeaderBytes(int value) {
      maxHeaderBytes = value;
      return this;
    }

    public Builder maxUrlBytes(int value) {
      maxUrlBytes = value;
      return this;
    }

    public Builder maxConnections(int value) {
      maxConnections = value;
      return this;
    }

    public Builder idleTimeout(Duration value) {
      idleTimeout = value;
      return this;
    }

    public Builder requestTimeout(Duration value) {
      requestTimeout = value;
      return this;
    }

    public Builder heartbeat(Duration value) {
      heartbeat = value;
      return this;
    }

    public Builder slowClientTimeout(Duration value) {
      slowClientTimeout = value;
      return this;
    }

    public Builder maxMessageBytes(int value) {
      maxMessageBytes = value;
      return this;
    }

    public Builder maxRows(int value) {
      maxRows = value;
      return this;
    }

    public Builder maxHeldRows(int value) {
      maxHeldRows = value;
      return this;
    }

    public Builder maxAnswerBytes(long value) {
      maxAnswerBytes = value;
      return this;
    }

    public Builder maxDepth(int value) {
      maxDepth = value;
      return this;
    }

    public Builder maxCost(long value) {
      maxCost = value;
      return this;
    }

    public Builder estimatedRows(int value) {
      estimatedRows = value;
      return this;
    }

    public Builder maxPaused(int value) {
      maxPaused = value;
      return this;
    }

    /**
     * Builds the {@link Limits}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public Limits build() {
      return new Limits(
          maxBodyBytes,
          maxHeaderBytes,
          maxUrlBytes,
          maxConnections,
          idleTimeout,
          requestTimeout,
          heartbeat,
          slowClientTimeout,
          maxMessageBytes,
          maxRows,
          maxHeldRows,
          maxAnswerBytes,
          maxDepth,
          maxCost,
          estimatedRows,
          maxPaused);
    }
  }
}
