// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.respond;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.sql.files.StaticFiles;
import dev.evita.externalapi.sql.inputs.HandlerInput;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import dev.evita.externalapi.sql.outcome.SqlErrorCode;
import dev.evita.externalapi.sql.proxy.Upstreams;
import dev.evita.externalapi.sql.run.OutcomeSender;
import dev.evita.externalapi.sql.templates.Templates;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends bodies, files, templates and the responses of upstreams. Thread-safe. */
public final class ResponseSender implements OutcomeSender {

  private static final byte[] EMPTY = {};

  private final Supplier<Templates> templates;
  private final @Nullable StaticFiles files;
  private final Upstreams upstreams;
  private final BiFunction<Exchange, HandlerInput, EvitaException> unhandled;

  /**
   * @param templates the current ones
   * @param files null for none
   * @param unhandled the failure of a request to which nothing responds
   */
  public ResponseSender(
      Supplier<Templates> templates,
      @Nullable StaticFiles files,
      Upstreams upstreams,
      BiFunction<Exchange, HandlerInput, EvitaException> unhandled) {
    this.templates = templates;
    this.files = files;
    this.upstreams = upstreams;
    this.unhandled = unhandled;
  }

  @Override
  public HandlerOutcome rendered(String handler, HandlerOutcome outcome) {
    var template = outcome.template();
    if (template == null) {
      return outcome;
    }
    var text = templates.get().render(handler, template, outcome.variables());
    var type = outcome.contentType();
    return outcome.withBody(
        type == null ? "text/html; charset=utf-8" : type, text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void send(Exchange exchange, HandlerInput input, String handler, HandlerOutcome outcome) {
    if (outcome.abort()) {
      exchange.response().abort();
      return;
    }
    var file = outcome.file();
    var upstream = outcome.upstream();
    var status = outcome.effectiveStatus(exchange.request().method());
    if (upstream != null) {
      head(exchange, outcome);
      upstreams.pass(exchange, input, handler, upstream);
    } else if (file != null) {
      file(exchange, handler, outcome, file, status);
    } else {
      head(exchange, outcome);
      body(exchange, outcome, status);
    }
  }

  private static void head(Exchange exchange, HandlerOutcome outcome) {
    var response = exchange.response();
    var written = new HashSet<String>();
    outcome
        .headers()
        .forEach(line -> {
          if (written.add(line.getKey().toLowerCase(Locale.ROOT))) {
            response.header(line.getKey(), line.getValue());
          } else {
            response.addHeader(line.getKey(), line.getValue());
          }
        });
    outcome.cookies().forEach(cookie -> response.addHeader("Set-Cookie", cookie));
    if (outcome.location() != null) {
      response.header("Location", outcome.location());
    }
  }

  private static void body(Exchange exchange, HandlerOutcome outcome, int status) {
    var bytes = outcome.body();
    var content = bytes == null || status == 204 || status == 304 ? EMPTY : bytes;
    Quota.of(exchange.work().limits(), 0).requireShort(content.length);
    var type = outcome.contentType();
    var body =
        exchange.response().respond(status, type == null ? "text/plain; charset=utf-8" : type);
    if (bytes == null) {
      exchange.response().header("Content-Type", null);
    }
    new BodySender(body, content).run();
  }

  private void file(
      Exchange exchange, String handler, HandlerOutcome outcome, String file, int status) {
    var path = file.startsWith("/") ? file : "/" + file;
    if (files == null || !files.send(exchange, path, status, () -> head(exchange, outcome))) {
      throw new EvitaException(
          SqlErrorCode.INVALID_HANDLER_RESPONSE,
          "Handler " + handler + " names the file '" + file + "'; expected one in static-files");
    }
  }

  @Override
  public void sendUnhandled(Exchange exchange, HandlerInput input, HandlerOutcome added) {
    var request = exchange.request();
    var reads = request.method().equals("GET") || request.method().equals("HEAD");
    if (files != null
        && reads
        && files.send(exchange, request.path(), 200, () -> head(exchange, added))) {
      return;
    }
    throw unhandled.apply(exchange, input);
  }

  /**
   * Returns the same, but for requests without a response: their headers are set, and this is run.
   */
  public OutcomeSender unlessResponded(Runnable next) {
    return new OutcomeSender() {
      @Override
      public HandlerOutcome rendered(String handler, HandlerOutcome outcome) {
        return ResponseSender.this.rendered(handler, outcome);
      }

      @Override
      public void send(
          Exchange exchange, HandlerInput input, String handler, HandlerOutcome outcome) {
        ResponseSender.this.send(exchange, input, handler, outcome);
      }

      @Override
      public void sendUnhandled(Exchange exchange, HandlerInput input, HandlerOutcome added) {
        head(exchange, added);
        next.run();
      }
    };
  }

  /** Returns the failure of a request that nothing responds to. */
  public static EvitaException notFound(String path) {
    var shown = path.length() > 100 ? path.substring(0, 100) + "..." : path;
    return new EvitaException(HttpErrorCode.NOT_FOUND, "No resource at '" + shown + "'");
  }
}
