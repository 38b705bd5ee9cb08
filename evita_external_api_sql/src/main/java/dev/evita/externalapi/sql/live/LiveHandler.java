// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.live;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.Table;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.live.LiveTask;
import dev.evita.externalapi.core.push.EventStream;
import dev.evita.externalapi.core.push.PushChannel;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.sql.run.ChosenRow;
import dev.evita.externalapi.sql.run.SqlHandler;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A live handler and one client of it: the body of its row is an event, sent at first and whenever
 * it has changed after a commit. A slow client gets the latest one. Thread-safe.
 */
public final class LiveHandler implements LiveTask.Task, PushChannel.Message {

  /** A handler of the current epoch, with the values of the request. */
  public record Bound(SqlHandler handler, Arguments arguments) {}

  private final EventStream events;
  private final Supplier<@Nullable Bound> current;
  private final LiveTask live;

  // Guarded by this.
  private byte @Nullable [] latest;
  private byte @Nullable [] sent;
  private boolean offered;

  private LiveHandler(ApiContext context, EventStream events, Supplier<@Nullable Bound> current) {
    this.events = events;
    this.current = current;
    this.live = new LiveTask(context.background(), context.tables(), this);
  }

  /**
   * Starts.
   *
   * @param current null if there is no such handler any more
   */
  public static void start(
      ApiContext context, EventStream events, Supplier<@Nullable Bound> current) {
    var handler = new LiveHandler(context, events, current);
    events.whenClosed(handler.live::end);
    // The tables that a text reads are unknown, so every change counts.
    handler.live.watch(context.catalog().tables().stream().map(Table::name).toList(), Map.of());
    handler.live.request();
  }

  @Override
  public void begin(Response response) {
    var bound = current.get();
    if (bound == null) {
      response
          .work()
          .fail(
              new EvitaException(
                  ErrorCode.CANCELLED, "The handler was removed; connect again later"));
      return;
    }
    response
        .work()
        .dispatch(
            bound.handler().placement(),
            false,
            () -> bound.handler().query().run(bound.arguments(), null, new Rows(bound, response)));
  }

  /** Chooses the row, as for a request, and writes its body. */
  private static final class Rows implements RowSink {
    private final Response response;
    private final ChosenRow chosen;
    private @Nullable Throwable failure;

    Rows(Bound bound, Response response) {
      this.chosen = new ChosenRow(bound.handler());
      this.response = response;
    }

    @Override
    public void started(Execution execution) {
      response.work().started(execution);
    }

    @Override
    public Demand row(Row row) {
      try {
        return chosen.add(row) ? Demand.MORE : Demand.STOP;
      } catch (RuntimeException e) {
        failure = e;
        return Demand.STOP;
      }
    }

    @Override
    public void completed(long affected) {
      if (failure != null) {
        response.work().fail(failure);
        return;
      }
      var outcome = chosen.outcome();
      var body = outcome == null ? null : outcome.body();
      response.send(200, "text/plain", body == null ? new byte[0] : body);
    }

    @Override
    public void failed(EvitaException problem) {
      response.work().fail(failure == null ? problem : failure);
    }
  }

  @Override
  public void completed(byte[] answer, OptionalLong version) {
    synchronized (this) {
      latest = answer;
      if (offered || Arrays.equals(answer, sent)) {
        return;
      }
      offered = true;
    }
    events.offer(this);
  }

  @Override
  public void failed(EvitaException failure) {
    var text = failure.code().name() + ": " + failure.publicMessage();
    events.finishAfter(EventStream.event("error", null, text.getBytes(StandardCharsets.UTF_8)));
    live.end();
  }

  @Override
  public synchronized byte @Nullable [] next() {
    offered = false;
    var body = latest;
    if (body == null || Arrays.equals(body, sent)) {
      return null;
    }
    sent = body;
    return EventStream.event("message", null, body);
  }
}
