// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.error;

import dev.evita.api.ErrorCode.Category;

/**
 * Errors of requests, before and around the engine, that several protocols share.
 *
 * <p>Names are stable, like those of {@link dev.evita.api.ErrorCode}. The example in each comment
 * raises it.
 */
public enum HttpErrorCode implements ProtocolErrorCode {
  /** {@code POST /graphql} with the body <code>{"query": </code>. */
  MALFORMED_REQUEST(400, Category.USER),
  /** {@code GET /nowhere}. */
  NOT_FOUND(404, Category.USER),
  /** {@code DELETE /graphql}. */
  METHOD_NOT_ALLOWED(405, Category.USER),
  /** {@code POST /graphql} with {@code Accept: image/png}. */
  NOT_ACCEPTABLE(406, Category.USER),
  /** {@code POST /graphql} with {@code Content-Type: text/plain}. */
  UNSUPPORTED_MEDIA_TYPE(415, Category.USER),
  /** A body larger than {@code max-body-bytes}. */
  BODY_TOO_LARGE(413, Category.USER),
  /** A path and query longer than {@code max-url-bytes}. */
  URL_TOO_LONG(414, Category.USER),
  /** {@code PATCH /rest/products?id=eq.1} with the {@code If-Match} of an older state. */
  PRECONDITION_FAILED(412, Category.USER),
  /** An {@code Idempotency-Key} that another request had. */
  IDEMPOTENCY_KEY_REUSED(422, Category.USER),
  /** Header lines larger than {@code max-header-bytes}. */
  HEADERS_TOO_LARGE(431, Category.USER),
  /** A body that arrives more slowly than {@code request-timeout} allows. */
  REQUEST_TIMEOUT(408, Category.USER),
  /** A WebSocket that a page of an origin opens which is not among the {@code cors-origins}. */
  ORIGIN_NOT_ALLOWED(403, Category.USER),
  /** {@code Host: evil.example} to a server on 127.0.0.1: not among {@code allowed-hosts}. */
  HOST_NOT_ALLOWED(421, Category.USER),
  /** More connections than {@code max-connections}. */
  TOO_MANY_CONNECTIONS(503, Category.RESOURCES),
  /** More operations on one WebSocket than {@code max-subscriptions}. */
  TOO_MANY_SUBSCRIPTIONS(503, Category.RESOURCES),
  /** A filter nested deeper than {@code max-depth}. */
  TOO_DEEP(400, Category.USER),
  /** Lists in lists in lists, whose estimated cost is above {@code max-cost}. */
  TOO_COSTLY(400, Category.USER),
  /**
   * An answer of more bytes than {@code max-answer-bytes}, a message than {@code
   * max-message-bytes}.
   */
  ANSWER_TOO_LARGE(400, Category.USER),
  /** An array of more requests than {@code max-batch}. */
  BATCH_TOO_LARGE(400, Category.USER),
  /** A port that another process listens on. */
  ADDRESS_IN_USE(409, Category.EXTERNAL);

  private final int status;
  private final Category category;

  HttpErrorCode(int status, Category category) {
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
