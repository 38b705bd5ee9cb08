// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.request;

import dev.evita.api.ErrorCode.Category;
import dev.evita.externalapi.core.error.ProtocolErrorCode;

/**
 * Errors specific to GraphQL.
 *
 * <p>Names are stable, like those of {@link dev.evita.api.ErrorCode}. The example in each comment
 * raises it.
 */
public enum GraphQlErrorCode implements ProtocolErrorCode {
  /** <code>{ products { nmae } }</code>: syntax or validation of a document. */
  INVALID_DOCUMENT(400, Category.USER),
  /** A document of more aliases than {@code max-aliases}. */
  TOO_MANY_ALIASES(400, Category.USER),
  /** More fields of {@code query_root} than {@code max-root-fields}. */
  TOO_MANY_ROOT_FIELDS(400, Category.USER),
  /** <code>{ __schema { types { name } } }</code> with {@code introspection: false}. */
  INTROSPECTION_DISABLED(400, Category.USER),
  /** The hash of a document that was not registered, or was evicted: send the document. */
  PERSISTED_QUERY_NOT_FOUND(400, Category.USER),
  /** A document with the hash of another. */
  PERSISTED_QUERY_HASH_MISMATCH(400, Category.USER),
  /** The hash of a document where {@code persisted-queries} is off; send documents. */
  PERSISTED_QUERY_NOT_SUPPORTED(400, Category.USER),
  /** A document that is not among the {@code trusted-documents}. */
  DOCUMENT_NOT_TRUSTED(403, Category.USER);

  private final int status;
  private final Category category;

  GraphQlErrorCode(int status, Category category) {
    this.status = status;
    this.category = category;
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public Category category() {
    return category;
  }
}
