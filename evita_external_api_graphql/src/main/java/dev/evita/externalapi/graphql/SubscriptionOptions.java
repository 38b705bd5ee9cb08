// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import dev.evita.externalapi.core.limits.Limits;
import java.time.Duration;

/**
 * The configuration of subscriptions. Immutable; each configuration key is a component's name in
 * kebab-case.
 */
public record SubscriptionOptions(
    @Description("Operations at a time on one WebSocket.") int maxSubscriptions,
    @Description("Time within which a WebSocket must send connection_init; then it is closed.")
        Duration connectionInitTimeout) {

  /** The default configuration: a hundred subscriptions, and three seconds. */
  public static final SubscriptionOptions DEFAULT = builder().build();

  public SubscriptionOptions {
    Limits.requireAtLeast("max-subscriptions", maxSubscriptions, 1);
    Limits.requirePositive("connection-init-timeout", connectionInitTimeout);
  }

  /** Returns a builder that starts from {@link #DEFAULT}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts from these values. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Sets each component by its name. Not thread-safe. */
  public static final class Builder {
    private int maxSubscriptions = 100;
    private Duration connectionInitTimeout = Duration.ofSeconds(3);

    private Builder() {}

    private Builder(SubscriptionOptions from) {
      maxSubscriptions = from.maxSubscriptions;
      connectionInitTimeout = from.connectionInitTimeout;
    }

    public Builder maxSubscriptions(int value) {
      maxSubscriptions = value;
      return this;
    }

    public Builder connectionInitTimeout(Duration value) {
      connectionInitTimeout = value;
      return this;
    }

    /**
     * Builds the {@link SubscriptionOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public SubscriptionOptions build() {
      return new SubscriptionOptions(maxSubscriptions, connectionInitTimeout);
    }
  }
}
