// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.EvitaException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A request whose body is complete. Its head may be read by any thread. */
public interface Request {

  /** The method, in upper case. */
  String method();

  /** The decoded path, starting with its slash, without the query. */
  String path();

  /** The query as it was sent, without its question mark; empty if there is none. */
  String query();

  /** The first value of a query parameter, decoded; null if absent. */
  @Nullable String queryParameter(String name);

  /**
   * The value of a header, by its name in any case; null if absent. Several lines of one name are
   * one list (RFC 9110, section 5.3).
   */
  @Nullable String header(String name);

  /**
   * Passes each header to a consumer, by its name in lower case; several lines of one name are one
   * list.
   */
  void forEachHeader(BiConsumer<String, String> consumer);

  /** The address of the client, without its port; null in process. */
  @Nullable String remoteAddress();

  /** The complete body. Valid only until {@link Api#handle} returns; empty if there is none. */
  RequestBody body();

  /**
   * Rejects cross-site requests. To be called before a request changes data that browsers would
   * send for any page without a preflight (Fetch, section 2.2.5), such as a {@code POST} whose
   * content type need not be JSON.
   *
   * @throws EvitaException {@code ORIGIN_NOT_ALLOWED} if the page's origin is neither this server
   *     nor among {@code cors-origins}
   */
  void requireOwnPage();
}
