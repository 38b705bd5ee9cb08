// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.outcome;

import dev.evita.api.ErrorCode.Category;
import dev.evita.externalapi.core.error.ProtocolErrorCode;

/**
 * Errors of handlers. Names are stable, like those of {@link dev.evita.api.ErrorCode}. The example
 * in each comment raises it.
 */
public enum SqlErrorCode implements ProtocolErrorCode {
  /** A handler that returns the status 99, or a header with a line break. */
  INVALID_HANDLER_RESPONSE(500, Category.INTERNAL),
  /** A handler whose table was dropped. */
  HANDLER_BROKEN(500, Category.INTERNAL),
  /** A proxied upstream that refuses connections, or responds too late. */
  UPSTREAM_FAILED(502, Category.EXTERNAL);

  private final int status;
  private final Category category;

  SqlErrorCode(int status, Category category) {
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
