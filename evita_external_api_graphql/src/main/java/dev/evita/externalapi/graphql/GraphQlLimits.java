// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import dev.evita.externalapi.graphql.input.SelectionLimits;

/**
 * The limits of one GraphQL request, beside those that apply to all protocols. Immutable; each
 * configuration key is a component's name in kebab-case. A batch counts as one request.
 */
public record GraphQlLimits(
    @Description("Aliases in one operation, those in fragments at each place where they are used.")
        int maxAliases,
    @Description("Fields at the root of one operation.") int maxRootFields,
    @Description("Requests in one body, as an array; 0 refuses arrays.") int maxBatch) {

  /**
   * The default limits: safe for a publicly reachable port, and sufficient for the clients of an
   * application.
   */
  public static final GraphQlLimits DEFAULT = builder().build();

  public GraphQlLimits {
    requireAtLeast("max-aliases", maxAliases, 0);
    requireAtLeast("max-root-fields", maxRootFields, 1);
    requireAtLeast("max-batch", maxBatch, 0);
  }

  SelectionLimits selections() {
    return new SelectionLimits(maxAliases, maxRootFields);
  }

  private static void requireAtLeast(String key, long value, long least) {
    if (value < least) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          key + " is " + value + "; expected a number of at least " + least);
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
    private int maxAliases = 500;
    private int maxRootFields = 200;
    private int maxBatch = 10;

    private Builder() {}

    private Builder(GraphQlLimits from) {
      maxAliases = from.maxAliases;
      maxRootFields = from.maxRootFields;
      maxBatch = from.maxBatch;
    }

    public Builder maxAliases(int value) {
      maxAliases = value;
      return this;
    }

    public Builder maxRootFields(int value) {
      maxRootFields = value;
      return this;
    }

    public Builder maxBatch(int value) {
      maxBatch = value;
      return this;
    }

    /**
     * Builds the {@link GraphQlLimits}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public GraphQlLimits build() {
      return new GraphQlLimits(maxAliases, maxRootFields, maxBatch);
    }
  }
}
