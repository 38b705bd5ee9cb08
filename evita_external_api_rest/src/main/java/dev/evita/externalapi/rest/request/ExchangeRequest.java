// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.externalapi.core.exchange.Exchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request of its own. */
public record ExchangeRequest(Exchange exchange) implements RestRequest {

  private static final List<String> HEADERS =
      List.of("Content-Type", "Content-Profile", "Accept", "Prefer", "If-Match", "If-None-Match");

  @Override
  public String method() {
    return exchange.request().method();
  }

  @Override
  public String path() {
    return exchange.request().path();
  }

  @Override
  public String query() {
    return exchange.request().query();
  }

  @Override
  public @Nullable String header(String name) {
    return exchange.request().header(name);
  }

  @Override
  public @Nullable Object tree() {
    return RequestRows.tree(exchange.request().header("Content-Type"), exchange.request().body());
  }

  /** A hash of all that makes the request what it is. */
  public String fingerprint() {
    try {
      var hash = MessageDigest.getInstance("SHA-256");
      for (var part : new @Nullable String[] {method(), path(), query()}) {
        add(hash, part);
      }
      HEADERS.forEach(name -> add(hash, header(name)));
      hash.update(exchange.request().body().bytes(), 0, exchange.request().body().length());
      return HexFormat.of().formatHex(hash.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }

  private static void add(MessageDigest hash, @Nullable String part) {
    hash.update(String.valueOf(part).getBytes(StandardCharsets.UTF_8));
    hash.update((byte) 0);
  }

  @Override
  public RequestRows rows(@Nullable Set<String> only) {
    return RequestRows.read(
        exchange.request().header("Content-Type"), exchange.request().body(), only);
  }
}
