// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

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
        URLDecoder.decode(target.split("\\?", 2)[0].replace("+", "%2B"), StandardCharsets.UTF_8),
        target.contains("?") ? target.split("\\?", 2)[1] : "");
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
