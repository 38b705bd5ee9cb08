// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import dev.evita.externalapi.core.limits.Limits;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of GraphQL. Immutable; each configuration key is a component's name in
 * kebab-case.
 *
 * @param limits the limits of one request
 * @param subscriptions the configuration of subscriptions
 */
public record GraphQlOptions(
    @Description("The path of the GraphQL endpoint.") String graphqlPath,
    @Description("Whether clients may read the schema by __schema and __type.")
        boolean introspection,
    @Description("Cached plans, measured in characters of their documents.") long planCacheChars,
    @Description(
            "Whether clients may register documents and send only their SHA-256 afterwards"
                + " (automatic persisted queries).")
        boolean persistedQueries,
    @Description(
            "A manifest of documents, or a directory of manifests and .graphql files. If set, no"
                + " other document is executed.")
        @Nullable Path trustedDocuments,
    @Description(
            "Whether queries by GET have an ETag, so that conditional requests get 304 while the"
                + " tables do not change.")
        boolean etags,
    @Description("How long clients may cache such a response without revalidation.")
        Duration etagMaxAge,
    GraphQlLimits limits,
    SubscriptionOptions subscriptions) {

  /** The default configuration: at {@code /graphql}, with introspection and persisted queries. */
  public static final GraphQlOptions DEFAULT = builder().build();

  public GraphQlOptions {
    if (!graphqlPath.startsWith("/") || graphqlPath.length() < 2 || graphqlPath.endsWith("/")) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "graphql-path is '" + graphqlPath + "'; expected a path such as /graphql");
    }
    Limits.requireAtLeast("plan-cache-chars", planCacheChars, 1);
    Limits.requireNotNegative("etag-max-age", etagMaxAge);
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
    private String graphqlPath = "/graphql";
    private boolean introspection = true;
    private long planCacheChars = 4L << 20;
    private boolean persistedQueries = true;
    private @Nullable Path trustedDocuments;
    private boolean etags = true;
    private Duration etagMaxAge = Duration.ZERO;
    private GraphQlLimits limits = GraphQlLimits.DEFAULT;
    private SubscriptionOptions subscriptions = SubscriptionOptions.DEFAULT;

    private Builder() {}

    private Builder(GraphQlOptions from) {
      graphqlPath = from.graphqlPath;
      introspection = from.introspection;
      planCacheChars = from.planCacheChars;
      persistedQueries = from.persistedQueries;
      trustedDocuments = from.trustedDocuments;
      etags = from.etags;
      etagMaxAge = from.etagMaxAge;
      limits = from.limits;
      subscriptions = from.subscriptions;
    }

    public Builder graphqlPath(String value) {
      graphqlPath = value;
      return this;
    }

    public Builder introspection(boolean value) {
      introspection = value;
      return this;
    }

    public Builder planCacheChars(long value) {
      planCacheChars = value;
      return this;
    }

    public Builder persistedQueries(boolean value) {
      persistedQueries = value;
      return this;
    }

    public Builder trustedDocuments(@Nullable Path value) {
      trustedDocuments = value;
      return this;
    }

    public Builder etags(boolean value) {
      etags = value;
      return this;
    }

    public Builder etagMaxAge(Duration value) {
      etagMaxAge = value;
      return this;
    }

    public Builder limits(GraphQlLimits value) {
      limits = value;
      return this;
    }

    public Builder subscriptions(SubscriptionOptions value) {
      subscriptions = value;
      return this;
    }

    /**
     * Builds the {@link GraphQlOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public GraphQlOptions build() {
      return new GraphQlOptions(
          graphqlPath,
          introspection,
          planCacheChars,
          persistedQueries,
          trustedDocuments,
          etags,
          etagMaxAge,
          limits,
          subscriptions);
    }
  }
}
