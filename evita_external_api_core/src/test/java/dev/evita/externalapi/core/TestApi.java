// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static java.util.Objects.requireNonNull;

import dev.evita.api.DataType;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.RowShape;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.ResponseBody;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Requests of every kind that the host must carry, without a database.
 *
 * <ul>
 *   <li>{@code /echo} answers the body, on the I/O thread;
 *   <li>{@code /work} the same on a worker thread;
 *   <li>{@code /held} on a worker thread, once {@link #release} has a permit;
 *   <li>{@code /stuck} the same on the I/O thread, which it holds;
 *   <li>{@code /rows?n=N} streams N rows of a hundred bytes through the back-pressure of {@link
 *       ResponseBody}, as an engine on the calling thread does;
 *   <li>{@code /endless} runs a statement on a worker thread until it is cancelled;
 *   <li>{@code /again?n=N} meets a changed schema N times, on the I/O thread and on workers in
 *       turn, then answers the body;
 *   <li>{@code /broken} fails after a part of the answer has left; {@code /thrown} before.
 * </ul>
 */
public final class TestApi implements ApiProvider, Api {

  static final String ROW = "x".repeat(97);

  final Semaphore release = new Semaphore(0);

  /** Requests of {@code /held} and {@code /endless} that have begun. */
  final Semaphore begun = new Semaphore(0);

  /** Why the statements of {@code /endless} and {@code /rows} were cancelled. */
  public final BlockingQueue<ErrorCode> cancelled = new LinkedBlockingQueue<>();

  /** How often {@code /again} was handled. */
  final AtomicInteger tries = new AtomicInteger();

  private final PlacementHistory plan = new PlacementHistory("test");

  @Override
  public String name() {
    return "test";
  }

  @Override
  public Api api(ApiContext context) {
    return this;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.exact("/echo", "GET", "POST", "PUT"),
        Route.exact("/work", "POST"),
        Route.exact("/held", "GET", "POST"),
        Route.exact("/stuck", "GET"),
        Route.exact("/rows", "GET"),
        Route.exact("/endless", "GET", "POST"),
        Route.exact("/again", "POST"),
        Route.exact("/broken", "GET"),
        Route.exact("/thrown", "GET"),
        Route.below("/below", "GET"));
  }

  @Override
  public void handle(Exchange exchange) {
    var body = exchange.request().body().text().getBytes(StandardCharsets.UTF_8);
    switch (exchange.request().path()) {
      case "/echo" -> exchange.work().dispatch(plan, true, () -> echo(exchange, body));
      case "/work" -> exchange.work().dispatch(plan, false, () -> echo(exchange, body));
      case "/held" -> exchange.work().dispatch(plan, false, () -> held(exchange, body));
      case "/stuck" -> exchange.work().dispatch(plan, true, () -> held(exchange, body));
      case "/rows" -> exchange.work().dispatch(plan, false, rows(exchange));
      case "/endless" -> exchange.work().dispatch(plan, false, () -> endless(exchange));
      case "/again" ->
          exchange
              .work()
              .dispatch(plan, tries.getAndIncrement() % 2 == 0, () -> again(exchange, body));
      case "/broken" -> exchange.work().dispatch(plan, false, () -> broken(exchange));
      case "/thrown" -> throw new IllegalStateException("secret of the inside");
      default ->
          exchange
              .response()
              .send(200, "text/plain", exchange.request().path().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void echo(Exchange exchange, byte[] body) {
    exchange.response().send(200, "text/plain", body);
  }

  private void again(Exchange exchange, byte[] body) {
    exchange.response().respond(200, "text/plain").json().raw("half of an answer");
    var changes = Integer.parseInt(requireNonNull(exchange.request().queryParameter("n")));
    if (tries.get() > changes) {
      exchange.response().send(200, "text/plain", body);
    } else if (!exchange.work().restart()) {
      exchange.fail(new EvitaException(ErrorCode.CATALOG_CHANGED, "The schema never holds still"));
    }
  }

  private void held(Exchange exchange, byte[] body) {
    begun.release();
    release.acquireUninterruptibly();
    exchange.response().send(200, "text/plain", body);
  }

  private Runnable rows(Exchange exchange) {
    var count = exchange.request().queryParameter("n");
    return new Cursor(exchange, count == null ? 10 : Integer.parseInt(count))::start;
  }

  private static void broken(Exchange exchange) {
    var body = exchange.response().respond(200, "application/json");
    body.json().raw("[" + "1,".repeat(ResponseBody.HIGH_WATER));
    if (body.demand(() -> fail(exchange))) {
      fail(exchange);
    }
  }

  private static void fail(Exchange exchange) {
    exchange.fail(new EvitaException(ErrorCode.DATABASE_ERROR, "The statement failed half-way"));
  }

  private void endless(Exchange exchange) {
    var done = new CountDownLatch(1);
    var statement =
        new Statement() {
          @Override
          public void cancel(ErrorCode reason) {
            if (done.getCount() > 0) {
              cancelled.add(reason);
              done.countDown();
            }
          }
        };
    exchange.work().started(statement);
    begun.release();
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exchange.fail(new EvitaException(ErrorCode.DEADLINE_EXCEEDED, "The statement was cancelled"));
  }

  /** A statement of no rows and no pauses. */
  private abstract static class Statement implements Execution {
    @Override
    public RowShape shape() {
      return new RowShape(List.of(new RowShape.ValueSlot("row", DataType.Scalar.TEXT)));
    }

    @Override
    public int statements() {
      return 1;
    }

    @Override
    public void resume() {
      throw new IllegalStateException("never paused");
    }
  }

  /** Pushes rows on whichever thread starts or resumes it, as an engine over JDBC does. */
  private final class Cursor extends Statement {
    private final Exchange exchange;
    private final int count;
    private int next;
    private boolean running;
    private @Nullable ErrorCode reason;

    private Cursor(Exchange exchange, int count) {
      this.exchange = exchange;
      this.count = count;
    }

    private void start() {
      exchange.work().started(this);
      exchange.response().respond(200, "application/json").json().raw('[');
      resume();
    }

    @Override
    public void resume() {
      if (!running(true)) {
        return;
      }
      var body = requireNonNull(exchange.response().body());
      while (next < count && running(true)) {
        body.json().raw(next++ == 0 ? "" : ",").string(ROW);
        if (body.demand(this) == Demand.PAUSE) {
          if (!running(false)) {
            fail();
          }
          return;
        }
      }
      if (!running(true)) {
        fail();
        return;
      }
      body.json().raw(']');
      body.end();
    }

    private synchronized boolean running(boolean now) {
      running = now;
      return reason == null;
    }

    @Override
    public void cancel(ErrorCode code) {
      if (stop(code)) {
        fail();
      }
    }

    /** Answers whether it was paused, so that whoever cancels must end it. */
    private synchronized boolean stop(ErrorCode code) {
      if (reason != null) {
        return false;
      }
      reason = code;
      cancelled.add(code);
      return !running;
    }

    private void fail() {
      exchange.fail(new EvitaException(ErrorCode.CANCELLED, "The statement was cancelled"));
    }
  }
}
