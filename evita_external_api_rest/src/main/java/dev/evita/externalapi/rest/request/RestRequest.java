// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request as resources see it: one of its own, or a member of a batch. */
public interface RestRequest {

  /** In upper case. */
  String method();

  /** Decoded, from its slash. */
  String path();

  /** As it was sent, without its question mark; empty where there is none. */
  String query();

  /** The value of a header, by its name in any case; null where it is absent. */
  @Nullable String header(String name);

  /**
   * The rows of the body.
   *
   * @param only the columns that are wanted; null for those of the first row
   * @throws RestFailure as {@link RequestRows#read}
   */
  RequestRows rows(@Nullable Set<String> only);

  /**
   * The body as JSON, parsed; null where it is empty.
   *
   * @throws RestFailure PGRST102 for a body that cannot be read, 415 for another media type
   */
  @Nullable Object tree();
}
