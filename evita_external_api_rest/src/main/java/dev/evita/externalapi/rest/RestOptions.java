// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;

/**
 * How REST is served. Immutable; each key of the configuration is a component's name in kebab-case.
 */
public record RestOptions(
    @Description("The path below which each table has its resource.") String restPath,
    @Description("Characters of URL shapes whose plans are kept, over all of them.")
        long restPlanCacheChars,
    @Description("Requests in one batch, at most.") int restMaxBatch,
    @Description("Whether PATCH and DELETE without a filter write all rows, rather than none.")
        boolean restUnfilteredWrites) {

  /** At {@code /rest}. */
  public static final RestOptions DEFAULT = new RestOptions("/rest", 4L << 20, 100, false);

  public RestOptions {
    if (!restPath.startsWith("/") || restPath.length() < 2 || restPath.endsWith("/")) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "rest-path is '" + restPath + "'; expected a path such as /rest");
    }
    if (restPlanCacheChars < 1) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "rest-plan-cache-chars is " + restPlanCacheChars + "; expected a number of at least 1");
    }
    if (restMaxBatch < 1) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "rest-max-batch is " + restMaxBatch + "; expected a number of at least 1");
    }
  }

  /** The same with writes that need no filter. */
  public RestOptions withUnfilteredWrites() {
    return new RestOptions(restPath, restPlanCacheChars, restMaxBatch, true);
  }
}
