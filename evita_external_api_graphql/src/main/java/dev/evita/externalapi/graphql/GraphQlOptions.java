// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
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
    @Description("Whether clients may ask for the schema by __schema and __type.")
        boolean introspection,
    @Description("Characters of documents whose plans are kept, over all documents.")
        long planCacheChars,
    @Description(
            "Whether clients may register documents and then name them by their SHA-256 (automatic"
                + " persisted queries).")
        boolean persistedQueries,
    @Description(
            "A manifest of documents, or a directory of such and of .graphql files. With it, no"
                + " other document is run.")
        @Nullable Path trustedDocuments,
    @Description(
            "Whether queries by GET have an ETag, so that clients are told 304 while the tables do"
                + " not change.")
        boolean etags,
    @Description("How long clients may keep such an answer without asking again.")
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
    if (planCacheChars < 1) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "plan-cache-chars is " + planCacheChars + "; expected a number of at least 1");
    }
    if (etagMaxAge.isNegative()) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "etag-max-age is " + etagMaxAge + "; expected 0s or more");
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
