// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.Response;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects all rows that a feed watches, by their keys. Used by one thread at a time. */
final class WatchedRowsReader implements RowSink {

  private static final byte[] NO_BODY = {};

  private final Response response;
  private final WatchedRows.Encoder encoder;
  private final int maxBytes;
  private final Quota quota;
  private final Map<ByteBuffer, byte[]> rows = new LinkedHashMap<>();
  private @Nullable EvitaException failure;
  private long bytes;

  WatchedRowsReader(Response response, WatchedRows.Encoder encoder, int maxBytes) {
    this.response = response;
    this.encoder = encoder;
    this.maxBytes = maxBytes;
    this.quota = Quota.held(response.work().limits(), 0);
  }

  /** In the order in which they came; the caller's. */
  Map<ByteBuffer, byte[]> rows() {
    return rows;
  }

  @Override
  public void started(Execution execution) {
    response.work().started(execution);
  }

  @Override
  public int maxHeldRows() {
    return response.work().limits().maxHeldRows();
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
    return response.work().ended() ? Demand.STOP : Demand.MORE;
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
      response.send(200, "", NO_BODY);
    } else {
      response.work().fail(failure);
    }
  }

  @Override
  public void failed(EvitaException problem) {
    response.work().fail(failure == null ? problem : failure);
  }
}
