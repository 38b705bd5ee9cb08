// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.HttpString;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of header fields that protocols read, as {@link HttpString} with a cached hash. {@link
 * HeaderMap} would copy and hash the bytes of a {@link String} for each look-up.
 */
final class FieldNames {

  private static final Map<String, HttpString> KNOWN = new HashMap<>();

  static {
    var names =
        List.of(
            "Accept",
            "Accept-Profile",
            "Content-Profile",
            "Content-Type",
            "Idempotency-Key",
            "If-Match",
            "If-None-Match",
            "Prefer",
            "Range",
            "accept",
            "content-type",
            "grpc-accept-encoding",
            "grpc-encoding",
            "grpc-timeout");
    for (var name : names) {
      KNOWN.put(name, new HttpString(name));
    }
  }

  private FieldNames() {}

  /** The values of a field, in the order of the lines; null if absent. */
  static @Nullable HeaderValues values(HeaderMap fields, String name) {
    var known = KNOWN.get(name);
    return known == null ? fields.get(name) : fields.get(known);
  }
}
