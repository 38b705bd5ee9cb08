// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Catalog;
import dev.evita.api.Table;
import dev.evita.externalapi.core.ApiContext;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.TableVersions;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Entity tags of answers to queries by {@code GET} (RFC 9110, section 8.8.3): of document,
 * variables, and the versions of the tables that the plan reads, taken before it runs. So an answer
 * can be newer than its tag, which costs a needless run, and never older.
 *
 * <p>There is no tag where the engine does not tell changes, nor for views and routines, which can
 * depend on the time or on what is not in the catalog. Weak tags: of the same rows, in the order of
 * the engine. Thread-safe; for one catalog epoch.
 */
final class EntityTags {

  private final boolean enabled;
  private final TableVersions versions;
  private final Catalog catalog;
  private final String fresh;

  /** Differs between epochs and servers, and is another once a tag has been given in vain. */
  private volatile long salt = new SplittableRandom().nextLong();

  EntityTags(ApiContext context, GraphQlOptions options) {
    this.enabled = options.etags() && context.tables().known();
    this.versions = context.tables();
    this.catalog = context.catalog();
    this.fresh =
        options.etagMaxAge().isZero()
            ? "no-cache"
            : "private, max-age=" + options.etagMaxAge().toSeconds();
  }

  /** The tag of the answer as it is now; null where there is none. */
  @Nullable String of(Exchange exchange, String contentType, String document, Planned planned) {
    if (!enabled || !readsTablesAlone(planned)) {
      return null;
    }
    var version = versions.version(planned.tables());
    if (version.isEmpty()) {
      return null;
    }
    var all =
        String.join(
            "\0",
            Long.toHexString(salt),
            Long.toHexString(version.getAsLong()),
            contentType,
            String.valueOf(exchange.queryParameter("operationName")),
            String.valueOf(exchange.queryParameter("variables")),
            document);
    return "\"" + DocumentStore.sha256(all).substring(0, 32) + "\"";
  }

  private boolean readsTablesAlone(Planned planned) {
    if (planned.calls()) {
      return false;
    }
    for (var name : planned.tables()) {
      if (catalog.table(name).filter(table -> table.kind() == Table.Kind.TABLE).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Says how the answer may be kept. */
  void announce(Exchange exchange, String tag) {
    exchange.responseHeader("ETag", "W/" + tag);
    exchange.responseHeader("Cache-Control", fresh);
  }

  /** Takes back what was announced, of an answer that has errors: nobody should keep it. */
  void withdraw(Exchange exchange, boolean left) {
    if (left) {
      // The tag is out, and would say one day that the answer with errors is still good.
      salt = new SplittableRandom().nextLong();
      return;
    }
    exchange.responseHeader("ETag", null);
    exchange.responseHeader("Cache-Control", "no-cache");
  }
}
