// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

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

  /** Eight executions; a hundred feeds of 8 MiB with a log of 2 MiB, kept for five minutes. */
  public static final FeedOptions DEFAULT =
      new FeedOptions(8, 100, 8 << 20, 10_000, 2 << 20, Duration.ofMinutes(5));

  public FeedOptions {
    Limits.requireAtLeast("max-live-runs", maxLiveRuns, 1);
    Limits.requireAtLeast("max-feeds", maxFeeds, 1);
    Limits.requireAtLeast("max-feed-bytes", maxFeedBytes, 1);
    Limits.requireAtLeast("feed-log-changes", feedLogChanges, 0);
    Limits.requireAtLeast("feed-log-bytes", feedLogBytes, 0);
    Limits.requireNotNegative("feed-linger", feedLinger);
  }
}
