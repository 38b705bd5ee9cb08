// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import dev.evita.api.Catalog;
import dev.evita.api.Table;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.live.CommitWatch;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.graphql.documents.DocumentStore;
import dev.evita.externalapi.graphql.plan.QueryPlan;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Entity tags of responses to queries by {@code GET} (RFC 9110, section 8.8.3): computed from the
 * document, the variables, and the versions of the tables that the plan reads, taken before its
 * execution. A response can thus be newer than its tag, which costs a needless execution, but never
 * older.
 *
 * <p>There is no tag if the engine does not publish changes, nor for views and routines, which can
 * depend on the time or on data outside the catalog. Tags are weak: they identify the same rows, in
 * the order of the engine. Thread-safe; for one catalog epoch.
 */
public final class EntityTags {

  private final boolean enabled;
  private final CommitWatch versions;
  private final Catalog catalog;
  private final String fresh;

  /**
   * Differs between epochs and servers, and is replaced once a tag has been issued for a response
   * with errors.
   */
  private volatile long salt = new SplittableRandom().nextLong();

  public EntityTags(ApiContext context, boolean enabled, Duration maxAge) {
    this.enabled = enabled && context.tables().known();
    this.versions = context.tables();
    this.catalog = context.catalog();
    this.fresh = maxAge.isZero() ? "no-cache" : "private, max-age=" + maxAge.toSeconds();
  }

  /** Returns the current tag of the response; null if there is none. */
  public @Nullable String of(
      Exchange exchange, String contentType, String document, QueryPlan plan) {
    if (!enabled || !readsTablesAlone(plan)) {
      return null;
    }
    var version = versions.version(plan.tables());
    if (version.isEmpty()) {
      return null;
    }
    var all =
        String.join(
            "\0",
            Long.toHexString(salt),
            Long.toHexString(version.getAsLong()),
            contentType,
            String.valueOf(exchange.request().queryParameter("operationName")),
            String.valueOf(exchange.request().queryParameter("variables")),
            document);
    return "\"" + DocumentStore.sha256(all).substring(0, 32) + "\"";
  }

  private boolean readsTablesAlone(QueryPlan plan) {
    if (plan.calls()) {
      return false;
    }
    for (var name : plan.tables()) {
      if (catalog.table(name).filter(table -> table.kind() == Table.Kind.TABLE).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Sets the caching headers of the response. */
  public void announce(Response response, String tag) {
    response.header("ETag", "W/" + tag);
    response.header("Cache-Control", fresh);
  }

  /** Withdraws the announced tag of a response that has errors, which must not be cached. */
  void withdraw(Response response, boolean left) {
    if (left) {
      // The tag has been sent, and would later validate the response with errors.
      salt = new SplittableRandom().nextLong();
      return;
    }
    response.header("ETag", null);
    response.header("Cache-Control", "no-cache");
  }
}
