// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import dev.evita.externalapi.graphql.request.GraphQlRequest;
import dev.evita.externalapi.graphql.request.RequestError;
import java.util.regex.Pattern;

/**
 * Documents that clients registered (Apollo's automatic persisted queries): the first request
 * brings text and hash, later ones the hash alone. The least recently used are evicted; clients
 * then send the text again.
 */
final class AutomaticDocuments implements DocumentStore {

  /** Clients match exactly this message. */
  private static final String NOT_SUPPORTED = "PersistedQueryNotSupported";

  private static final String NOT_FOUND = "PersistedQueryNotFound";
  private static final int LONGEST_SHOWN = 80;
  private static final int ENTRY = 256;
  private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");

  private final boolean enabled;
  private final Cache<String, String> texts;

  /**
   * @param maxChars the maximum number of characters of all documents
   */
  AutomaticDocuments(boolean enabled, long maxChars) {
    this.enabled = enabled;
    this.texts =
        Caffeine.newBuilder()
            // Documents above the maximum are evicted at once, as clients control the amount.
            .executor(Runnable::run)
            .maximumWeight(maxChars)
            .<String, String>weigher((hash, text) -> text.length() + ENTRY)
            .build();
  }

  @Override
  public String text(GraphQlRequest request) {
    var id = request.id();
    var query = request.query();
    if (id == null) {
      if (query == null) {
        throw DocumentStore.noDocument();
      }
      return query;
    }
    if (request.namesAHash() && !isHash(id)) {
      throw GraphQlRequest.malformed(
          "'%s' is not a SHA-256; expected 64 hexadecimal digits"
              .formatted(
                  id.length() > LONGEST_SHOWN ? id.substring(0, LONGEST_SHOWN) + "..." : id));
    }
    if (query == null) {
      return registered(id);
    }
    if (isHash(id) && !id.equals(DocumentStore.sha256(query))) {
      throw RequestError.of(
          GraphQlErrorCode.PERSISTED_QUERY_HASH_MISMATCH,
          "The hash is not that of the query; expected the SHA-256 of its text in lower-case hex");
    }
    return query;
  }

  private String registered(String id) {
    if (!enabled) {
      throw RequestError.of(GraphQlErrorCode.PERSISTED_QUERY_NOT_SUPPORTED, NOT_SUPPORTED);
    }
    var text = texts.getIfPresent(id);
    if (text == null) {
      throw RequestError.of(GraphQlErrorCode.PERSISTED_QUERY_NOT_FOUND, NOT_FOUND);
    }
    return text;
  }

  @Override
  public void compiled(GraphQlRequest request, String text) {
    var id = request.id();
    // The hash was verified by text(). An identifier of another kind could be claimed by any
    // client.
    if (enabled && id != null && request.query() != null && isHash(id)) {
      texts.put(id, text);
    }
  }

  private static boolean isHash(String id) {
    return HASH.matcher(id).matches();
  }
}
