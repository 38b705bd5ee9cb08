// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.live.Change;
import dev.evita.externalapi.core.live.ChangeFeeds;
import dev.evita.externalapi.core.live.ChangeSink;
import dev.evita.externalapi.core.live.ChangeSubscriber;
import dev.evita.externalapi.core.live.ChangeSubscription;
import dev.evita.externalapi.core.work.Cancellation;
import dev.evita.externalapi.grpc.messages.WireWriter;
import dev.evita.externalapi.grpc.transport.CallResponse;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One client's change feed.
 *
 * <pre>
 *   waits (deadline applies) --rows are read--> sends as much as the client reads, until the client
 *                                               leaves, the server stops or the feed fails
 * </pre>
 *
 * <p>Thread-safe: the pending work is done by one of the calling threads at a time.
 */
final class WatchCall implements ChangeSubscriber, Cancellation {

  /** Number of messages after which back-pressure of the client is checked. */
  private static final int AT_ONCE = 64;

  private final CallResponse reply;
  private final ChangeSubscription subscription;
  private final AtomicInteger wanted = new AtomicInteger();
  private volatile boolean started;
  private volatile @Nullable RuntimeException failure;

  private <K> WatchCall(
      CallResponse reply, ChangeFeeds<K> feeds, K key, ChangeSubscription.Start start) {
    this.reply = reply;
    this.subscription = feeds.subscription(key, start, this);
  }

  /** Starts the feed. */
  static <K> void start(
      CallResponse reply, ChangeFeeds<K> feeds, K key, ChangeSubscription.Start start) {
    var call = new WatchCall(reply, feeds, key, start);
    reply.work().started(call);
    call.subscription.start();
  }

  @Override
  public void started() {
    started = true;
    reply.call().stayOpen();
    changed();
  }

  @Override
  public void changed() {
    if (wanted.getAndIncrement() > 0) {
      return; // the thread that holds the work processes it
    }
    int round;
    do {
      round = wanted.get();
      push();
    } while (wanted.addAndGet(-round) > 0);
  }

  private void push() {
    var problem = failure;
    if (problem != null) {
      subscription.stop();
      reply.fail(problem);
      return;
    }
    if (!started) {
      return;
    }
    var more = true;
    while (more && reply.isReady()) {
      var some = new Messages();
      more = subscription.take(some);
      for (var message = some.ready.poll(); message != null; message = some.ready.poll()) {
        reply.send(message);
      }
    }
    if (more) {
      reply.whenReady(this::changed);
      if (reply.isReady()) {
        wanted.incrementAndGet(); // the changes in between are unknown
      }
    }
  }

  @Override
  public void failed(RuntimeException problem) {
    failure = problem;
    changed();
  }

  @Override
  public void cancel(ErrorCode reason) {
    subscription.stop();
    failure =
        new EvitaException(
            reason,
            switch (reason) {
              case SHUTTING_DOWN ->
                  "The server is stopping; resume at the last position on another server";
              case DEADLINE_EXCEEDED -> "The rows to watch were not read in time; try again";
              default -> "The call was cancelled";
            });
    changed();
  }

  /** The messages that are sent at once. */
  private static final class Messages implements ChangeSink {

    private static final int KIND = 1;
    private static final int KEY = 2;
    private static final int ROW = 3;
    private static final int POSITION = 4;

    private final Queue<byte[]> ready = new ArrayDeque<>();
    private final WireWriter writer = new WireWriter();

    private WireWriter begin(String kind) {
      return writer.integer(KIND, WatchMethods.KINDS.indexOf(kind));
    }

    private void end() {
      ready.add(writer.take());
    }

    @Override
    public void reset(Reset reason) {
      begin("RESET").string(POSITION, NOWHERE);
      end();
    }

    @Override
    public void row(byte[] key, byte[] row) {
      begin("INSERT").binary(KEY, key).binary(ROW, row);
      end();
    }

    @Override
    public void change(Change change, String position) {
      begin(change.kind().name()).binary(KEY, change.key());
      if (change.kind() != Change.Kind.DELETE) {
        writer.binary(ROW, change.row());
      }
      writer.string(POSITION, position);
      end();
    }

    @Override
    public void ready(String position) {
      begin("READY").string(POSITION, position);
      end();
    }

    @Override
    public boolean full() {
      return ready.size() >= AT_ONCE;
    }
  }
}
