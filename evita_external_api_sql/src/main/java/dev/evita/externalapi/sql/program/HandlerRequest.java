// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.program;

import org.jspecify.annotations.Nullable;

/** The request of a {@link JavaHandler}. Used by one thread at a time. */
public interface HandlerRequest {

  /** The method, in upper case. */
  String method();

  /** The decoded path. */
  String path();

  /** The text of a path group. */
  String group(String name);

  /** The first value of a query parameter; null if absent. */
  @Nullable String query(String name);

  /** The value of a header, by its name in any case; null if absent. */
  @Nullable String header(String name);

  /** The complete body. Owned by the handler. */
  byte[] body();

  /** The address of the client, without its port; null in process. */
  @Nullable String remoteAddress();
}
