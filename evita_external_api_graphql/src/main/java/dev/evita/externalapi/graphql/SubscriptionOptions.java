// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import java.time.Duration;

/**
 * The configuration of subscriptions. Immutable; each configuration key is a component's name in
 * kebab-case.
 */
public record SubscriptionOptions(
    @Description("Operations under way at one time on one WebSocket.") int maxSubscriptions,
    @Description("How long a WebSocket may take to say connection_init; then it is closed.")
        Duration connectionInitTimeout) {

  /** The default configuration: a hundred subscriptions, and three seconds. */
  public static final SubscriptionOptions DEFAULT = builder().build();

  public SubscriptionOptions {
    if (maxSubscriptions < 1) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "max-subscriptions is " + maxSubscriptions + "; expected a number of at least 1");
    }
    if (connectionInitTimeout.isNegative() || connectionInitTimeout.isZero()) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "connection-init-timeout is "
              + connectionInitTimeout
              + "; expected a duration above zero such as 3s");
    }
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
