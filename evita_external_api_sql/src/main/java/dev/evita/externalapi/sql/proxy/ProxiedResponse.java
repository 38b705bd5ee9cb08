// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.proxy;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.RowShape;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.core.work.Work;
import dev.evita.externalapi.sql.outcome.HeaderRules;
import dev.evita.externalapi.sql.outcome.SqlErrorCode;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The response of an upstream, passed on while it arrives: the upstream is read as fast as the
 * client reads. For the server it is an {@link Execution}, which the deadline cancels.
 */
final class ProxiedResponse
    implements Execution, HttpResponse.BodyHandler<Void>, HttpResponse.BodySubscriber<Void> {

  private final Exchange exchange;
  private final String upstream;
  private final CompletableFuture<Void> complete = new CompletableFuture<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile @Nullable CompletableFuture<?> sending;
  private volatile HttpResponse.@Nullable ResponseInfo head;
  private volatile Flow.@Nullable Subscription subscription;
  private @Nullable ResponseBody body;

  // Guarded by this: tasks of one response run on several workers.
  private boolean writing;
  private boolean received;

  ProxiedResponse(Exchange exchange, String upstream) {
    this.exchange = exchange;
    this.upstream = upstream;
  }

  void start(HttpClient client, HttpRequest request) {
    exchange.work().started(this);
    var sent = client.sendAsync(request, this);
    sending = sent;
    var unused =
        sent.whenComplete((response, failure) -> {
          if (failure != null) {
            fail(unreachable(failure));
          }
        });
  }

  private EvitaException unreachable(Throwable failure) {
    return new EvitaException(
        SqlErrorCode.UPSTREAM_FAILED,
        "The upstream '" + upstream + "' does not respond; retry later",
        failure);
  }

  private void fail(Throwable failure) {
    if (ended.compareAndSet(false, true)) {
      exchange.fail(failure);
    }
  }

  // ---- the response of the upstream, on the client's threads ----

  @Override
  public HttpResponse.BodySubscriber<Void> apply(HttpResponse.ResponseInfo received) {
    head = received;
    return this;
  }

  @Override
  public CompletionStage<Void> getBody() {
    return complete;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscribed) {
    subscription = subscribed;
    subscribed.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    synchronized (this) {
      writing = true;
    }
    exchange.work().resume(() -> write(buffers));
  }

  @Override
  public void onError(Throwable failure) {
    complete.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    complete.complete(null);
    boolean written;
    synchronized (this) {
      received = true;
      written = !writing;
    }
    if (written) {
      exchange.work().resume(this::end);
    }
  }

  // ---- on a worker ----

  private ResponseBody body() {
    var open = body;
    if (open == null) {
      var received = Objects.requireNonNull(head);
      received.headers().map().forEach(this::passBack);
      var type = received.headers().firstValue("content-type").orElse("application/octet-stream");
      open = exchange.response().respond(received.statusCode(), type);
      body = open;
    }
    return open;
  }

  private void passBack(String name, List<String> values) {
    var passed =
        name.equals("content-encoding")
            || (!HeaderRules.isReserved(name)
                && !name.startsWith(":")
                && !name.equals("content-type"));
    if (passed) {
      exchange.response().header(name, null);
      values.forEach(value -> exchange.response().addHeader(name, value));
    }
  }

  private void write(List<ByteBuffer> buffers) {
    if (ended.get()) {
      return;
    }
    var open = body();
    for (var buffer : buffers) {
      var bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      open.json().raw(bytes);
    }
    if (open.demand(this::written)) {
      written();
    }
  }

  /** Requests the next part, or ends after the last one. */
  private void written() {
    boolean last;
    synchronized (this) {
      writing = false;
      last = received;
    }
    if (last) {
      end();
    } else {
      Objects.requireNonNull(subscription).request(1);
    }
  }

  private void end() {
    if (ended.compareAndSet(false, true)) {
      body().end();
    }
  }

  // ---- for the server ----

  @Override
  public RowShape shape() {
    return RowShape.NONE;
  }

  @Override
  public int statements() {
    return 0;
  }

  @Override
  public void resume() {}

  @Override
  public void cancel(ErrorCode reason) {
    var request = sending;
    if (request != null) {
      request.cancel(true);
    }
    fail(Work.failure(reason));
  }
}
