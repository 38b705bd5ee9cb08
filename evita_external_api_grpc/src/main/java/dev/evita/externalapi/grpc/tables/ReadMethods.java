// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.Descriptors.Descriptor;
import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Prepared;
import dev.evita.api.RowSink;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.grpc.messages.ReadCall;
import dev.evita.externalapi.grpc.messages.RequestShape;
import dev.evita.externalapi.grpc.messages.RequestSplitter;
import dev.evita.externalapi.grpc.messages.TypedTable;
import dev.evita.externalapi.grpc.transport.CallResponse;
import dev.evita.externalapi.grpc.transport.UnaryRequestMethod;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The methods that read a table, of one epoch. A request of a shape that was seen before is neither
 * parsed nor compiled: its values are the arguments of the statement of that shape. Thread-safe.
 */
final class ReadMethods {

  private static final int PLANS = 2_048;

  /**
   * What is compiled of a shape.
   *
   * @param request the first of that shape
   */
  private record Compiled(Prepared prepared, Cost cost, PlacementHistory plan, ReadCall request) {}

  private final Statements statements;
  private final Limits limits;
  private final RequestSplitter splitter = new RequestSplitter(TypedTable::isValue);
  private final Cache<RequestShape, Compiled> plans =
      Caffeine.newBuilder().maximumSize(PLANS).build();
  private final PlacementHistory compiling =
      new PlacementHistory("gRPC requests of a shape seen for the first time");

  ReadMethods(Statements statements, Limits limits) {
    this.statements = statements;
    this.limits = limits;
  }

  /** Makes the sink that answers a request. */
  private interface Sinks {
    RowSink of(CallResponse reply, ReadCall request, Arguments arguments);
  }

  /** Returns the method that reads the row of a key. */
  UnaryRequestMethod get(TypedTable table) {
    return new ReadMethod(
        table,
        "GetRequest",
        true,
        ReadCall.Reader::byKey,
        (reply, request, arguments) -> new ReadSink.One(reply, request, table.proto().base()));
  }

  /** Returns the method that reads a page of rows. */
  UnaryRequestMethod list(TypedTable table) {
    return new ReadMethod(table, "ListRequest", false, ReadCall.Reader::page, ReadSink.Page::new);
  }

  /** Returns the method that reads a stream of rows. */
  UnaryRequestMethod scan(TypedTable table) {
    return new ReadMethod(
        table,
        "ScanRequest",
        false,
        ReadCall.Reader::scan,
        (reply, request, arguments) -> new ReadSink.Each(reply, request));
  }

  /** One of them, of one table. */
  private final class ReadMethod implements UnaryRequestMethod {

    private final TypedTable table;
    private final String message;
    private final Descriptor type;
    private final boolean single;
    private final Function<ReadCall.Reader, ReadCall> reader;
    private final Sinks sinks;

    /**
     * @param single whether it surely reads one row at most
     */
    ReadMethod(
        TypedTable table,
        String message,
        boolean single,
        Function<ReadCall.Reader, ReadCall> reader,
        Sinks sinks) {
      this.table = table;
      this.message = message;
      this.type = table.message(message);
      this.single = single;
      this.reader = reader;
      this.sinks = sinks;
    }

    /** Runs a request: here if it is bounded and compiled already, else on a worker. */
    @Override
    public void run(byte[] bytes, CallResponse reply) {
      var split = splitter.split(this, type, bytes);
      var known = split == null ? null : plans.getIfPresent(split.shape());
      var arguments =
          split == null || known == null ? null : known.request.values().arguments(split.values());
      if (known == null || arguments == null) {
        var request = reader.apply(new ReadCall.Reader(table, table.parse(message, bytes)));
        reply.work().dispatch(compiling, false, () -> compile(request, split, reply));
        return;
      }
      requireAffordable(known.request, known.cost, arguments);
      var sink = sinks.of(reply, known.request, arguments);
      reply
          .work()
          .dispatch(
              known.plan,
              known.prepared.bounded(arguments),
              () -> known.prepared.run(arguments, null, sink));
    }

    private void compile(ReadCall request, RequestShape.@Nullable Split split, CallResponse reply) {
      var arguments = request.values().arguments();
      Prepared prepared;
      RowSink sink;
      try {
        prepared = prepare(request, split, arguments);
        sink = sinks.of(reply, request, arguments);
      } catch (RuntimeException e) {
        reply.fail(e);
        return;
      }
      prepared.run(arguments, null, sink);
    }

    private Prepared prepare(
        ReadCall request, RequestShape.@Nullable Split split, Arguments arguments) {
      var select = request.select();
      var prepared = statements.prepare(select);
      var cost = Cost.of(select, single, limits.estimatedRows());
      if (split != null && request.values().generalize(split.values())) {
        var plan = new PlacementHistory("gRPC read of " + select.from());
        plans.put(split.shape(), new Compiled(prepared, cost, plan, request));
      }
      requireAffordable(request, cost, arguments);
      return prepared;
    }
  }

  private void requireAffordable(ReadCall request, Cost cost, Arguments arguments) {
    var paging = request.paging();
    var estimate = cost.with(arguments);
    if (paging != null && estimate > limits.maxCost()) {
      throw new EvitaException(
          ErrorCode.TOO_COSTLY,
          String.format(
              Locale.ROOT,
              "page_size is %d: the estimated cost of such a page is %.0f, above %d, the limit of"
                  + " max-cost",
              paging.size(),
              estimate,
              limits.maxCost()));
    }
    cost.requireAtMost(limits.maxCost(), arguments);
  }
}
