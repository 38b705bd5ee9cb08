// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Knows which document a request means, and whether it may be run.
 *
 * <p>Thread-safe. It holds texts, not plans, so it outlives changes of the schema; and an entry is
 * found by its own hash or the operator's word, so it can be missing but never be wrong.
 */
sealed interface DocumentStore permits AutomaticDocuments, TrustedDocuments {

  /** What the options ask for. */
  static DocumentStore of(GraphQlOptions options) {
    return options.trustedDocuments() == null
        ? new AutomaticDocuments(options.persistedQueries(), options.planCacheChars())
        : TrustedDocuments.read(options.trustedDocuments());
  }

  /**
   * The document's text. Does not block.
   *
   * @throws RequestError {@code MALFORMED_REQUEST} where there is no document, {@code
   *     PERSISTED_QUERY_NOT_FOUND}, {@code PERSISTED_QUERY_HASH_MISMATCH}, {@code
   *     PERSISTED_QUERY_NOT_SUPPORTED}, {@code DOCUMENT_NOT_TRUSTED}
   */
  String text(GraphQlRequest request);

  /** The request's document is valid: it may be registered, if the request asks for that. */
  void compiled(GraphQlRequest request, String text);

  static RequestError noDocument() {
    return RequestError.of(
        ErrorCode.MALFORMED_REQUEST,
        "There is no query; expected a GraphQL document in 'query', or its 'documentId'");
  }

  /** SHA-256 of the text's UTF-8, in lower-case hexadecimal digits. */
  static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-256", e);
    }
  }
}
