// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import com.google.protobuf.ByteString;
import dev.evita.api.Row;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.limits.RowCounter;
import dev.evita.externalapi.core.live.ChangeFeeds;
import dev.evita.externalapi.core.live.ChangeSubscription;
import dev.evita.externalapi.core.live.WatchedRows;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.grpc.messages.MessageValues;
import dev.evita.externalapi.grpc.messages.ReadCall;
import dev.evita.externalapi.grpc.messages.RowEncoder;
import dev.evita.externalapi.grpc.messages.TypedTable;
import dev.evita.externalapi.grpc.messages.WireWriter;
import dev.evita.externalapi.grpc.transport.CallResponse;
import java.util.List;
import java.util.function.Function;

/**
 * Row changes as messages, for one catalog epoch; the feeds continue in the next epoch.
 * Thread-safe.
 */
final class WatchMethods {

  /**
   * The key of a feed: clients with equal requests share one.
   *
   * @param request reduced to filter and columns
   */
  record WatchKey(TableName table, ByteString request) {}

  private final Statements statements;
  private final Function<TableName, TypedTable> tables;
  private final PlacementHistory joining = new PlacementHistory("gRPC calls that watch");
  private volatile ChangeFeeds<WatchKey> feeds;

  /**
   * @param tables the tables by name; throws {@code UNKNOWN_TABLE}
   */
  WatchMethods(ApiContext context, Function<TableName, TypedTable> tables) {
    this.statements = context.statements();
    this.tables = tables;
    this.feeds = new ChangeFeeds<>(context.background(), context.tables(), this::watched);
  }

  /** Takes over the feeds of the previous epoch. */
  void succeed(WatchMethods predecessor) {
    feeds = predecessor.feeds;
    feeds.move(this::watched);
  }

  /** Starts a change feed. */
  void watch(TypedTable table, byte[] bytes, CallResponse reply) {
    var request = table.parse("WatchRequest", bytes);
    var type = request.getDescriptorForType();
    var position = type.findFieldByName("position");
    var changesOnly = type.findFieldByName("changes_only");
    var start =
        new ChangeSubscription.Start(
            (String) request.getField(position), !(Boolean) request.getField(changesOnly));
    if (!start.isPosition()) {
      throw ReadCall.invalid(
          "position is '"
              + MessageValues.shortened(start.lastId())
              + "'; expected one issued by Watch, or none");
    }
    var key =
        new WatchKey(
            table.proto().table().name(),
            request.toBuilder()
                .clearField(position)
                .clearField(changesOnly)
                .build()
                .toByteString());
    reply.work().dispatch(joining, false, () -> WatchCall.start(reply, feeds, key, start));
  }

  private WatchedRows watched(WatchKey key) {
    var table = tables.apply(key.table());
    var request = table.parse("WatchRequest", key.request().toByteArray());
    var read = new ReadCall.Reader(table, request).watched();
    var encoder =
        new Encoder(
            new RowEncoder(read.columns(), 0),
            new RowEncoder(table.proto().key(), read.columns().size()));
    return WatchedRows.of(
        table.proto().table(),
        statements.prepare(read.select()),
        read.values().arguments(),
        encoder);
  }

  private record Encoder(RowEncoder rows, RowEncoder keys) implements WatchedRows.Encoder {

    @Override
    public byte[] key(Row row) {
      return message(keys, row);
    }

    @Override
    public byte[] row(Row row, RowCounter nested) {
      return message(rows, row);
    }

    private static byte[] message(RowEncoder encoder, Row row) {
      var writer = new WireWriter();
      encoder.write(row, writer);
      return writer.take();
    }
  }

  /** The numbers of {@code ChangeKind}. */
  static final List<String> KINDS =
      List.of("CHANGE_UNKNOWN", "RESET", "INSERT", "UPDATE", "DELETE", "READY");
}
