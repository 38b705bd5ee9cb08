// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request as resources see it: a single request, or one of a batch. */
public interface RestRequest {

  /** The method, in upper case. */
  String method();

  /** The decoded path, with its leading slash. */
  String path();

  /** The raw query string, without its question mark; empty if there is none. */
  String query();

  /** Returns the value of a header, by its case-insensitive name; null if it is absent. */
  @Nullable String header(String name);

  /**
   * Returns the rows of the body.
   *
   * @param only the columns to read; null for those of the first row
   * @throws RestFailure as {@link RequestRows#read}
   */
  RequestRows rows(@Nullable Set<String> only);

  /**
   * Returns the body as parsed JSON; null if it is empty.
   *
   * @throws RestFailure PGRST102 for a body that cannot be read, 415 for another media type
   */
  @Nullable Object tree();
}
