// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import dev.evita.externalapi.core.limits.Limits;
import java.time.Duration;

/**
 * The options of change feeds, for all protocols. Immutable; each configuration key is a
 * component's name in kebab-case.
 */
public record FeedOptions(
    @Description(
            "Live queries, streams and change feeds that execute at one time; others wait for"
                + " them.")
        int maxLiveRuns,
    @Description("Distinct change feeds at one time, for each protocol.") int maxFeeds,
    @Description("Bytes of the rows that one change feed watches; held in memory.")
        int maxFeedBytes,
    @Description("Changes that a feed retains for clients that reconnect or read slowly.")
        int feedLogChanges,
    @Description("Bytes of the retained changes.") int feedLogBytes,
    @Description("Minimum time that a feed is kept after its last client has disconnected.")
        Duration feedLinger) {

  /** Eight runs; a hundred feeds of 8 MiB with a log of 2 MiB, kept for five minutes. */
  public static final FeedOptions DEFAULT = builder().build();

  public FeedOptions {
    Limits.requireAtLeast("max-live-runs", maxLiveRuns, 1);
    Limits.requireAtLeast("max-feeds", maxFeeds, 1);
    Limits.requireAtLeast("max-feed-bytes", maxFeedBytes, 1);
    Limits.requireAtLeast("feed-log-changes", feedLogChanges, 0);
    Limits.requireAtLeast("feed-log-bytes", feedLogBytes, 0);
    Limits.requireNotNegative("feed-linger", feedLinger);
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
    private int maxLiveRuns = 8;
    private int maxFeeds = 100;
    private int maxFeedBytes = 8 << 20;
    private int feedLogChanges = 10_000;
    private int feedLogBytes = 2 << 20;
    private Duration feedLinger = Duration.ofMinutes(5);

    private Builder() {}

    private Builder(FeedOptions from) {
      maxLiveRuns = from.maxLiveRuns;
      maxFeeds = from.maxFeeds;
      maxFeedBytes = from.maxFeedBytes;
      feedLogChanges = from.feedLogChanges;
      feedLogBytes = from.feedLogBytes;
      feedLinger = from.feedLinger;
    }

    public Builder maxLiveRuns(int value) {
      maxLiveRuns = value;
      return this;
    }

    public Builder maxFeeds(int value) {
      maxFeeds = value;
      return this;
    }

    public Builder maxFeedBytes(int value) {
      maxFeedBytes = value;
      return this;
    }

    public Builder feedLogChanges(int value) {
      feedLogChanges = value;
      return this;
    }

    public Builder feedLogBytes(int value) {
      feedLogBytes = value;
      return this;
    }

    public Builder feedLinger(Duration value) {
      feedLinger = value;
      return this;
    }

    /**
     * Builds the {@link FeedOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public FeedOptions build() {
      return new FeedOptions(
          maxLiveRuns, maxFeeds, maxFeedBytes, feedLogChanges, feedLogBytes, feedLinger);
    }
  }
}
