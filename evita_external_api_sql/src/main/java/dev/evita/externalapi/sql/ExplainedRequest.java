// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.Request;
import dev.evita.externalapi.core.exchange.RequestBody;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A request without headers and body. */
record ExplainedRequest(String method, String path, String query) implements Request {

  ExplainedRequest(String method, String target) {
    this(
        method,
        decoded(target.split("\\?", 2)[0]),
        target.contains("?") ? target.split("\\?", 2)[1] : "");
  }

  /** As the server decodes a path: an encoded slash stays as it is. */
  private static String decoded(String path) {
    try {
      return URLDecoder.decode(
          path.replace("+", "%2B").replaceAll("%(2[Ff])", "%25$1"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new EvitaException(
          ErrorCode.INVALID_VALUE,
          "The path '" + path + "' has an invalid escape; expected two hexadecimal digits after %",
          e);
    }
  }

  @Override
  public @Nullable String queryParameter(String name) {
    return null;
  }

  @Override
  public @Nullable String header(String name) {
    return null;
  }

  @Override
  public void forEachHeader(BiConsumer<String, String> consumer) {}

  @Override
  public @Nullable String remoteAddress() {
    return null;
  }

  @Override
  public RequestBody body() {
    return RequestBody.EMPTY;
  }

  @Override
  public void requireOwnPage() {}
}
