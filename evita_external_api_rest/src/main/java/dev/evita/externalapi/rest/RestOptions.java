// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import dev.evita.externalapi.core.limits.Limits;

/**
 * The configuration of REST. Immutable; each configuration key is a component's name in kebab-case.
 */
public record RestOptions(
    @Description("The path prefix of all resources.") String restPath,
    @Description("Cached plans, measured in characters of their URL shapes.")
        long restPlanCacheChars,
    @Description("Maximum number of requests in a batch.") int restMaxBatch,
    @Description(
            "Whether PATCH and DELETE without a filter write all rows instead of being refused.")
        boolean restUnfilteredWrites) {

  /** The default configuration, with the path {@code /rest}. */
  public static final RestOptions DEFAULT = builder().build();

  public RestOptions {
    if (!restPath.startsWith("/") || restPath.length() < 2 || restPath.endsWith("/")) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "rest-path is '" + restPath + "'; expected a path such as /rest");
    }
    Limits.requireAtLeast("rest-plan-cache-chars", restPlanCacheChars, 1);
    Limits.requireAtLeast("rest-max-batch", restMaxBatch, 1);
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
    private String restPath = "/rest";
    private long restPlanCacheChars = 4L << 20;
    private int restMaxBatch = 100;
    private boolean restUnfilteredWrites = false;

    private Builder() {}

    private Builder(RestOptions from) {
      restPath = from.restPath;
      restPlanCacheChars = from.restPlanCacheChars;
      restMaxBatch = from.restMaxBatch;
      restUnfilteredWrites = from.restUnfilteredWrites;
    }

    public Builder restPath(String value) {
      restPath = value;
      return this;
    }

    public Builder restPlanCacheChars(long value) {
      restPlanCacheChars = value;
      return this;
    }

    public Builder restMaxBatch(int value) {
      restMaxBatch = value;
      return this;
    }

    public Builder restUnfilteredWrites(boolean value) {
      restUnfilteredWrites = value;
      return this;
    }

    /**
     * Builds the {@link RestOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public RestOptions build() {
      return new RestOptions(restPath, restPlanCacheChars, restMaxBatch, restUnfilteredWrites);
    }
  }
}
