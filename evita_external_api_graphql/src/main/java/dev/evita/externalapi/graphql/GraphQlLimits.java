// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.graphql.input.SelectionLimits;

/**
 * The limits of one GraphQL request, beside those that apply to all protocols. Immutable; each
 * configuration key is a component's name in kebab-case. A batch counts as one request.
 */
public record GraphQlLimits(
    @Description("Aliases in one operation; those of a fragment count at each use.") int maxAliases,
    @Description("Fields at the root of one operation.") int maxRootFields,
    @Description("Requests in one body, as an array; 0 refuses arrays.") int maxBatch) {

  /**
   * The default limits: safe for a publicly reachable port, and sufficient for the clients of an
   * application.
   */
  public static final GraphQlLimits DEFAULT = builder().build();

  public GraphQlLimits {
    Limits.requireAtLeast("max-aliases", maxAliases, 0);
    Limits.requireAtLeast("max-root-fields", maxRootFields, 1);
    Limits.requireAtLeast("max-batch", maxBatch, 0);
  }

  SelectionLimits selections() {
    return new SelectionLimits(maxAliases, maxRootFields);
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
