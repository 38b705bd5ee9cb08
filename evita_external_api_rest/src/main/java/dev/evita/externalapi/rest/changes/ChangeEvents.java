// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.changes;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.live.Change;
import dev.evita.externalapi.core.live.ChangeFeeds;
import dev.evita.externalapi.core.live.ChangeSink;
import dev.evita.externalapi.core.live.ChangeSubscriber;
import dev.evita.externalapi.core.live.ChangeSubscription;
import dev.evita.externalapi.core.push.EventStream;
import dev.evita.externalapi.core.push.PushChannel;
import dev.evita.externalapi.core.work.Cancellation;
import dev.evita.externalapi.rest.model.RestProblems;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One client's events: {@code reset}, {@code insert}, {@code update}, {@code delete}, {@code ready}
 * and, as the last, {@code problem}.
 *
 * <pre>
 *   WAITING --rows are known--> events: offers itself, takes as much as one write can hold
 *      '--refused, client gone, too late--> a response with the problem
 * </pre>
 *
 * <p>Thread-safe.
 */
final class ChangeEvents implements ChangeSubscriber, PushChannel.Message {

  /** Size at which a message is full. */
  private static final int CHUNK = 32 << 10;

  private static final byte[] NOTHING = "{}".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private final Exchange exchange;
  private final ChangeSubscription subscription;
  private @Nullable EventStream stream;
  private byte @Nullable [] last;
  private boolean responded;
  private boolean offered;
  private volatile boolean more;

  private <K> ChangeEvents(
      Exchange exchange, ChangeFeeds<K> feeds, K key, ChangeSubscription.Start start) {
    this.exchange = exchange;
    this.subscription = feeds.subscription(key, start, this);
  }

  /** Completes the exchange with events, or with the failure that prevents them. */
  static <K> void start(
      Exchange exchange, ChangeFeeds<K> feeds, K key, ChangeSubscription.Start start) {
    var events = new ChangeEvents(exchange, feeds, key, start);
    exchange.work().started(events.new Waiting());
    events.subscription.start();
  }

  /** While the rows are read, the deadline applies, and the client may disconnect. */
  private final class Waiting implements Cancellation {

    @Override
    public void cancel(ErrorCode reason) {
      if (claim()) {
        subscription.stop();
        var message = "The rows to watch were not read in time; try again";
        RestProblems.send(exchange, new EvitaException(reason, message));
      }
    }
  }

  /** Returns true to the first caller only, which then completes the exchange. */
  private synchronized boolean claim() {
    var first = !responded;
    responded = true;
    return first;
  }

  @Override
  public void started() {
    if (!claim()) {
      return;
    }
    EventStream opened;
    try {
      opened = exchange.events();
    } catch (EvitaException e) {
      subscription.stop();
      RestProblems.send(exchange, e);
      return;
    }
    opened.whenClosed(subscription::stop);
    byte[] already;
    synchronized (this) {
      stream = opened;
      already = last;
    }
    if (already == null) {
      changed();
    } else {
      opened.finishAfter(already);
    }
  }

  @Override
  public void changed() {
    EventStream to;
    synchronized (this) {
      to = offered ? null : stream;
      offered |= to != null;
    }
    if (to != null) {
      to.offer(this);
    }
  }

  @Override
  public void failed(RuntimeException failure) {
    if (claim()) {
      RestProblems.send(exchange, failure);
      return;
    }
    var event = EventStream.event("problem", null, RestProblems.document(exchange, failure));
    EventStream open;
    synchronized (this) {
      last = event;
      open = stream;
    }
    if (open != null) {
      open.finishAfter(event);
    }
  }

  @Override
  public byte @Nullable [] next() {
    synchronized (this) {
      offered = false;
    }
    var chunk = new Chunk();
    more = subscription.take(chunk);
    return chunk.bytes.size() == 0 ? null : chunk.bytes.toByteArray();
  }

  @Override
  public void sent() {
    if (more) {
      changed();
    }
  }

  /** The events of one write. */
  private static final class Chunk implements ChangeSink {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void reset(Reset reason) {
      var why =
          switch (reason) {
            case START -> "start";
            case UNKNOWN -> "unknown";
            case BEHIND -> "behind";
          };
      var json = JsonWriter.inMemory();
      json.raw("{\"reason\":\"" + why + "\"}");
      // With this id, so that a client that disconnects during the snapshot does not reconnect with
      // an older id: the changes since that id would be available, but would not match the rows
      // that the client holds by then.
      event("reset", NOWHERE, json.take());
    }

    @Override
    public void row(byte[] key, byte[] row) {
      event("insert", null, data(key, row));
    }

    @Override
    public void change(Change change, String position) {
      switch (change.kind()) {
        case INSERT -> event("insert", position, data(change.key(), change.row()));
        case UPDATE -> event("update", position, data(change.key(), change.row()));
        case DELETE -> {
          var json = JsonWriter.inMemory().raw("{\"key\":").raw(change.key()).raw('}');
          event("delete", position, json.take());
        }
      }
    }

    @Override
    public void ready(String position) {
      event("ready", position, NOTHING);
    }

    @Override
    public boolean full() {
      return bytes.size() >= CHUNK;
    }

    private static byte[] data(byte[] key, byte[] row) {
      var json = JsonWriter.inMemory().raw("{\"key\":").raw(key).raw(",\"row\":").raw(row);
      return json.raw('}').take();
    }

    private void event(String name, @Nullable String id, byte[] data) {
      bytes.writeBytes(EventStream.event(name, id, data));
    }
  }
}
