// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.externalapi.core.Exchange;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request of its own. */
record ExchangeRequest(Exchange exchange) implements RestRequest {

  @Override
  public String method() {
    return exchange.method();
  }

  @Override
  public String path() {
    return exchange.path();
  }

  @Override
  public String query() {
    return exchange.query();
  }

  @Override
  public @Nullable String header(String name) {
    return exchange.header(name);
  }

  @Override
  public Rows rows(@Nullable Set<String> only) {
    return Rows.read(exchange.header("Content-Type"), exchange.body(), only);
  }
}
