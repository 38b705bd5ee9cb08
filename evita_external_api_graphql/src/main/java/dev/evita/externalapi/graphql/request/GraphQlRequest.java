// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.request;

import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as defined by GraphQL over HTTP.
 *
 * @param query null if the document is only named
 * @param documentId the identifier of the document, by the appendix on persisted documents
 * @param variables JSON by name; empty where none are given
 * @param operationName null where none is given
 * @param extensions JSON by name; empty where none are given
 */
public record GraphQlRequest(
    @Nullable String query,
    @Nullable String documentId,
    Map<String, @Nullable Object> variables,
    @Nullable String operationName,
    Map<String, @Nullable Object> extensions) {

  private static final String SHA256 = "sha256:";

  /**
   * Returns the identifier of the document, by {@code documentId} or by Apollo's {@code
   * persistedQuery}: the bare hexadecimal digits if it is a SHA-256.
   *
   * @throws RequestError {@code MALFORMED_REQUEST}
   */
  public @Nullable String id() {
    var id = documentId == null ? null : bare(documentId);
    var hash = apolloHash(persistedQuery());
    if (id != null && hash != null && !id.equals(hash)) {
      throw malformed("'documentId' and 'extensions.persistedQuery' name different documents");
    }
    return id == null ? hash : id;
  }

  private @Nullable Object persistedQuery() {
    return extensions.isEmpty() ? null : extensions.get("persistedQuery");
  }

  /** Whether the identifier of the document is its SHA-256. */
  public boolean namesAHash() {
    return persistedQuery() != null || (documentId != null && documentId.startsWith(SHA256));
  }

  /** Returns an identifier without the prefix that marks a SHA-256. */
  public static String bare(String id) {
    return id.startsWith(SHA256) ? id.substring(SHA256.length()) : id;
  }

  private static @Nullable String apolloHash(@Nullable Object persistedQuery) {
    if (persistedQuery == null) {
      return null;
    }
    if (!(persistedQuery instanceof Map<?, ?> members)
        || !(members.get("sha256Hash") instanceof String hash)) {
      throw malformed(
          "'extensions.persistedQuery' is not as expected:"
              + " {\"version\": 1, \"sha256Hash\": \"...\"}");
    }
    var version = members.get("version");
    if (!Long.valueOf(1).equals(version)) {
      throw malformed("'extensions.persistedQuery.version' is " + version + "; expected 1");
    }
    return hash;
  }

  public static RequestError malformed(String message) {
    return RequestError.of(HttpErrorCode.MALFORMED_REQUEST, message);
  }

  /**
   * Returns a hash of the request's identity.
   *
   * @param text the document, which may have been given by its identifier
   */
  public String fingerprint(String text) {
    var values = JsonWriter.inMemory();
    values.tree(variables);
    return IdempotencyKeys.fingerprint(
        List.of(
            IdempotencyKeys.part("graphql"),
            IdempotencyKeys.part(text),
            IdempotencyKeys.part(operationName),
            values.take()));
  }
}
