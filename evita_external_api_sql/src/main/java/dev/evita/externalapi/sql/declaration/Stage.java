// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.declaration;

/** When a handler runs. */
public enum Stage {
  /** Before the handlers: may set headers of the response, or respond instead of them. */
  BEFORE,
  /** The handlers, in the order of their priority, until one returns a row. */
  HANDLER,
  /** After the handlers: may replace parts of the response. */
  AFTER
}
