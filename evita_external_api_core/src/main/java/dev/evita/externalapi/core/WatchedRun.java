// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects all rows that a feed watches, by their keys. Used by one thread at a time. */
final class WatchedRun implements RowSink {

  private static final byte[] NO_BODY = {};

  private final Exchange exchange;
  private final WatchedRows.Encoder encoder;
  private final int maxBytes;
  private final Quota quota;
  private final Map<ByteBuffer, byte[]> rows = new LinkedHashMap<>();
  private @Nullable EvitaException failure;
  private long bytes;

  WatchedRun(Exchange exchange, WatchedRows.Encoder encoder, int maxBytes) {
    this.exchange = exchange;
    this.encoder = encoder;
    this.maxBytes = maxBytes;
    this.quota = Quota.held(exchange.limits(), 0);
  }

  /** In the order in which they came; the caller's. */
  Map<ByteBuffer, byte[]> rows() {
    return rows;
  }

  @Override
  public void started(Execution execution) {
    exchange.started(execution);
  }

  @Override
  public int maxHeldRows() {
    return exchange.limits().maxHeldRows();
  }

  @Override
  public Demand row(Row row) {
    try {
      quota.count();
      add(encoder.key(row), encoder.row(row, quota));
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      return Demand.STOP;
    }
    return exchange.ended() ? Demand.STOP : Demand.MORE;
  }

  private void add(byte[] key, byte[] row) {
    bytes += key.length + row.length;
    if (bytes > maxBytes) {
      throw new EvitaException(
          ErrorCode.ANSWER_TOO_LARGE,
          "The rows to watch have more than "
              + maxBytes
              + " bytes, the limit of max-feed-bytes; filter them, or select less of each");
    }
    if (rows.put(ByteBuffer.wrap(key), row) != null) {
      throw new EvitaException(
          ErrorCode.STORED_VALUE_INVALID, "Two rows of the table have the same primary key");
    }
  }

  @Override
  public void completed(long affected) {
    if (failure == null) {
      exchange.send(200, "", NO_BODY);
    } else {
      exchange.fail(failure);
    }
  }

  @Override
  public void failed(EvitaException problem) {
    exchange.fail(failure == null ? problem : failure);
  }
}
