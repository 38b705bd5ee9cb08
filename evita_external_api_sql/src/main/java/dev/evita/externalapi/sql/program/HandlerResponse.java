// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.program;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The response of a {@link JavaHandler}.
 *
 * @param status from 200 to 599
 * @param headers by name
 * @param contentType null if there is no body
 * @param body not to be changed
 */
public record HandlerResponse(
    int status, Map<String, String> headers, @Nullable String contentType, byte[] body) {

  public HandlerResponse {
    headers = new LinkedHashMap<>(headers);
  }

  /** A response without a body. */
  public static HandlerResponse of(int status) {
    return new HandlerResponse(status, Map.of(), null, new byte[0]);
  }

  /** Plain text, with status 200. */
  public static HandlerResponse text(String body) {
    return of("text/plain; charset=utf-8", body);
  }

  /** HTML, with status 200. The caller escapes the values in it. */
  public static HandlerResponse html(String body) {
    return of("text/html; charset=utf-8", body);
  }

  /** JSON, with status 200. */
  public static HandlerResponse json(String body) {
    return of("application/json", body);
  }

  private static HandlerResponse of(String contentType, String body) {
    return new HandlerResponse(200, Map.of(), contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the same with a header. */
  public HandlerResponse header(String name, String value) {
    var all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return new HandlerResponse(status, all, contentType, body);
  }
}
