// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * The reason of a failure, by the same names for every protocol.
 *
 * <p>Names are stable: clients see them ({@code extensions.code} in GraphQL, {@code code} in
 * problem documents). Each comment gives an example that causes the error.
 */
public enum ErrorCode {
  /** {@code POST /graphql} with the body <code>{"query": </code>. */
  MALFORMED_REQUEST(Category.USER),
  /** {@code GET /nowhere}. */
  NOT_FOUND(Category.USER),
  /** {@code DELETE /graphql}. */
  METHOD_NOT_ALLOWED(Category.USER),
  /** {@code POST /graphql} with {@code Accept: image/png}. */
  NOT_ACCEPTABLE(Category.USER),
  /** {@code POST /graphql} with {@code Content-Type: text/plain}. */
  UNSUPPORTED_MEDIA_TYPE(Category.USER),
  /** A body larger than {@code max-body-bytes}. */
  BODY_TOO_LARGE(Category.USER),
  /** A path and query longer than {@code max-url-bytes}. */
  URL_TOO_LONG(Category.USER),
  /** {@code PATCH /rest/products?id=eq.1} with the {@code If-Match} of an older version. */
  PRECONDITION_FAILED(Category.USER),
  /** An {@code Idempotency-Key} that was used for another request. */
  IDEMPOTENCY_KEY_REUSED(Category.USER),
  /** Header lines larger than {@code max-header-bytes}. */
  HEADERS_TOO_LARGE(Category.USER),
  /** A body that arrives more slowly than {@code request-timeout} allows. */
  REQUEST_TIMEOUT(Category.USER),
  /** <code>{ products { nmae } }</code>: syntax or validation of a document. */
  INVALID_DOCUMENT(Category.USER),
  /** {@code products_by_pk(id: "x")}: a value that its type cannot hold. */
  INVALID_VALUE(Category.USER),
  /** An inconsistent operation: a keyset of two values for one order column. */
  INVALID_OPERATION(Category.USER),
  /** A table that is not in the catalog. */
  UNKNOWN_TABLE(Category.USER),
  /** A column that is not in its table. */
  UNKNOWN_COLUMN(Category.USER),
  /** A routine that is not in the catalog. */
  UNKNOWN_ROUTINE(Category.USER),
  /** A regular expression on SQLite, which lacks them. */
  UNSUPPORTED_OPERATION(Category.USER),
  /** A filter nested deeper than {@code max-depth}. */
  TOO_DEEP(Category.USER),
  /** A response of more rows than {@code max-rows}. */
  TOO_MANY_ROWS(Category.USER),
  /**
   * A response of more bytes than {@code max-answer-bytes}, or a message of more than {@code
   * max-message-bytes}.
   */
  ANSWER_TOO_LARGE(Category.USER),
  /** A document of more aliases than {@code max-aliases}. */
  TOO_MANY_ALIASES(Category.USER),
  /** More fields of {@code query_root} than {@code max-root-fields}. */
  TOO_MANY_ROOT_FIELDS(Category.USER),
  /** Deeply nested lists, whose estimated cost is above {@code max-cost}. */
  TOO_COSTLY(Category.USER),
  /** An array of more requests than {@code max-batch}. */
  BATCH_TOO_LARGE(Category.USER),
  /** <code>{ __schema { types { name } } }</code> with {@code introspection: false}. */
  INTROSPECTION_DISABLED(Category.USER),
  /** The hash of a document that was not registered, or was evicted: send the document. */
  PERSISTED_QUERY_NOT_FOUND(Category.USER),
  /** A document with the hash of another one. */
  PERSISTED_QUERY_HASH_MISMATCH(Category.USER),
  /** The hash of a document while {@code persisted-queries} is off: send documents. */
  PERSISTED_QUERY_NOT_SUPPORTED(Category.USER),
  /** A document that is not among the {@code trusted-documents}. */
  DOCUMENT_NOT_TRUSTED(Category.USER),
  /** A WebSocket opened by a page whose origin is not among the {@code cors-origins}. */
  ORIGIN_NOT_ALLOWED(Category.USER),
  /** {@code Host: evil.example} to a server on 127.0.0.1: not among {@code allowed-hosts}. */
  HOST_NOT_ALLOWED(Category.USER),
  /** An insert of a primary key that exists. */
  UNIQUE_VIOLATION(Category.USER),
  /** An insert of a row whose parent does not exist. */
  FOREIGN_KEY_VIOLATION(Category.USER),
  /** An insert that violates a check constraint. */
  CHECK_VIOLATION(Category.USER),
  /** An insert without a value for a column that requires one. */
  NOT_NULL_VIOLATION(Category.USER),
  /** Twenty letters for a {@code varchar(10)}. */
  VALUE_TOO_LONG(Category.USER),
  /** 40 000 for a {@code smallint}; a sum that overflows. */
  VALUE_OUT_OF_RANGE(Category.USER),
  /** Division by zero and similar errors: valid in form, invalid for the data. */
  INVALID_DATA(Category.USER),
  /** {@code raise exception} in a function or a trigger, whose message gives the reason. */
  RAISED(Category.USER),
  /** A script with a syntax error, or one that refers to objects that do not exist. */
  INVALID_SCRIPT(Category.USER),
  /** A write to a table on which the database user has no privileges. */
  PERMISSION_DENIED(Category.USER),
  /** An insert in a read-only transaction. */
  READ_ONLY(Category.USER),
  /** An execution in a transaction that was committed or rolled back. */
  TRANSACTION_CLOSED(Category.USER),
  /** {@code --port 99999}. */
  INVALID_CONFIGURATION(Category.USER),
  /** A server started twice. */
  ALREADY_STARTED(Category.USER),

  /** {@code --db jdbc:postgresql://localhost:1/x}: no server listens, or the password is wrong. */
  DATABASE_UNREACHABLE(Category.EXTERNAL),
  /**
   * A failure of the database that no retry resolves, such as a row policy that refers to itself.
   */
  DATABASE_ERROR(Category.EXTERNAL),
  /**
   * A database file on a full disk: writes fail until the storage is repaired and the engine opened
   * again.
   */
  STORAGE_FAILED(Category.EXTERNAL),
  /**
   * A connection lost between {@code COMMIT} and its confirmation: the write may or may not be
   * durable. Repeating it with the same {@code Idempotency-Key} returns its outcome, and writes
   * once.
   */
  COMMIT_UNKNOWN(Category.EXTERNAL),
  /** A deadlock, or a serialization conflict: retry. */
  SERIALIZATION_FAILURE(Category.EXTERNAL),
  /** SQLite: the text {@code abc} stored in a column declared {@code integer}. */
  STORED_VALUE_INVALID(Category.EXTERNAL),
  /** A port that another process listens on. */
  ADDRESS_IN_USE(Category.EXTERNAL),
  /** The client closed the connection before its response was complete. */
  CLIENT_GONE(Category.EXTERNAL),

  /** A statement that outlives {@code request-timeout}. */
  DEADLINE_EXCEEDED(Category.RESOURCES),
  /** {@link Execution#cancel} was called. */
  CANCELLED(Category.RESOURCES),
  /** More requests are queued than {@code worker-queue} permits. */
  OVERLOADED(Category.RESOURCES),
  /** More connections than {@code max-connections}. */
  TOO_MANY_CONNECTIONS(Category.RESOURCES),
  /** More operations on one WebSocket than {@code max-subscriptions}. */
  TOO_MANY_SUBSCRIPTIONS(Category.RESOURCES),
  /** No pooled database connection became free in time. */
  POOL_EXHAUSTED(Category.RESOURCES),
  /** A response whose client does not read it while other requests wait for the database. */
  CLIENT_TOO_SLOW(Category.RESOURCES),
  /** A request that arrives while the server drains. */
  SHUTTING_DOWN(Category.RESOURCES),
  /** An operation prepared before a column was dropped and executed after: prepare it again. */
  CATALOG_CHANGED(Category.RESOURCES),

  /** An internal error. */
  INTERNAL(Category.INTERNAL);

  /** The party that can resolve the failure. */
  public enum Category {
    /** The caller: the same request fails again. */
    USER,
    /** The operator of the database or the network. */
    EXTERNAL,
    /** Possibly none: a retry later may succeed. */
    RESOURCES,
    /** The developers of Evita. */
    INTERNAL
  }

  private final Category category;

  ErrorCode(Category category) {
    this.category = category;
  }

  /** The party that can resolve the failure. */
  public Category category() {
    return category;
  }
}
