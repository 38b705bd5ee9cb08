// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.graphql.request.GraphQlRequest;
import dev.evita.externalapi.graphql.request.RequestError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the document of a request, and checks whether it may be executed.
 *
 * <p>Thread-safe. It holds texts, not plans, so it outlives changes of the schema; and an entry is
 * identified by its own hash or by the operator's manifest, so it can be missing but never wrong.
 */
public sealed interface DocumentStore permits AutomaticDocuments, TrustedDocuments {

  /**
   * Returns a store of the trusted documents, or if there are none, of those that clients register.
   *
   * @param trusted a file or directory; null if all documents may be executed
   * @param persisted whether clients may register documents
   * @param maxChars most characters of the registered documents
   */
  static DocumentStore of(@Nullable Path trusted, boolean persisted, long maxChars) {
    return trusted == null
        ? new AutomaticDocuments(persisted, maxChars)
        : TrustedDocuments.read(trusted);
  }

  /**
   * Returns the document's text. Does not block.
   *
   * @throws RequestError {@code MALFORMED_REQUEST} if there is no document, {@code
   *     PERSISTED_QUERY_NOT_FOUND}, {@code PERSISTED_QUERY_HASH_MISMATCH}, {@code
   *     PERSISTED_QUERY_NOT_SUPPORTED}, {@code DOCUMENT_NOT_TRUSTED}
   */
  String text(GraphQlRequest request);

  /** Registers the request's valid document, if the request requires that. */
  void compiled(GraphQlRequest request, String text);

  static RequestError noDocument() {
    return RequestError.of(
        HttpErrorCode.MALFORMED_REQUEST,
        "There is no query; expected a GraphQL document in 'query', or its 'documentId'");
  }

  /** Returns the SHA-256 of the text's UTF-8, in lower-case hexadecimal digits. */
  static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-256", e);
    }
  }
}
