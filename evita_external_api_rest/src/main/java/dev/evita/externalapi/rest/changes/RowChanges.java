// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.changes;

import dev.evita.api.Capability;
import dev.evita.api.Key;
import dev.evita.api.Output;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonShape.Node;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.limits.RowCounter;
import dev.evita.externalapi.core.live.ChangeFeeds;
import dev.evita.externalapi.core.live.ChangeSubscription;
import dev.evita.externalapi.core.live.WatchedRows;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.model.RestTable;
import dev.evita.externalapi.rest.reads.ReadCompiler;
import dev.evita.externalapi.rest.reads.ReadPlan;
import dev.evita.externalapi.rest.reads.ReadPlans;
import dev.evita.externalapi.rest.request.Preferences;
import dev.evita.externalapi.rest.request.ReadQuery;
import dev.evita.externalapi.rest.request.RowRange;
import dev.evita.externalapi.rest.response.RowFormat;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Row changes as events, for one catalog epoch; the feeds continue in the next epoch. Thread-safe.
 *
 * @see ChangeEvents
 */
public final class RowChanges {

  /** The request as the client wrote it: clients with identical requests share a feed. */
  record ChangesKey(
      @Nullable String profile, String table, String query, @Nullable RowRange range) {}

  private final RestModel model;
  private final Set<Capability> capabilities;
  private final Statements statements;
  private final Limits limits;
  private final ReadPlans reads;
  private final PlacementHistory joining = new PlacementHistory("REST requests for row changes");
  private volatile ChangeFeeds<ChangesKey> feeds;

  public RowChanges(ApiContext context, RestModel model, ReadPlans reads) {
    this.model = model;
    this.capabilities = context.capabilities();
    this.statements = context.statements();
    this.limits = context.limits();
    this.reads = reads;
    this.feeds = new ChangeFeeds<>(context.background(), context.tables(), this::watched);
  }

  /** Takes over the feeds of the previous epoch. */
  public void succeed(RowChanges predecessor) {
    feeds = predecessor.feeds;
    feeds.move(this::watched);
  }

  /** The number of feeds, for tests and metrics. */
  ChangeFeeds<ChangesKey> feeds() {
    return feeds;
  }

  /** Whether a request accepts events rather than rows. */
  public static boolean wanted(Exchange exchange) {
    return !exchange.request().method().equals("HEAD")
        && RowFormat.prefersEvents(exchange.request().header("Accept"));
  }

  /**
   * Responds with events once the rows are read, or with the failure.
   *
   * @throws RestFailure for an unknown preference with strict handling
   */
  public void respond(Exchange exchange, String table, String query) {
    var preferences = Preferences.parse(exchange.request().header("Prefer"));
    var range = RowRange.of(exchange.request().method(), exchange.request().header("Range"));
    var key = new ChangesKey(exchange.request().header("Accept-Profile"), table, query, range);
    var lastId = Objects.requireNonNullElse(exchange.request().header("Last-Event-ID"), "");
    var start = new ChangeSubscription.Start(lastId, preferences.snapshot());
    if (!preferences.snapshot()) {
      exchange.response().header("Preference-Applied", "snapshot=none");
    }
    exchange.work().dispatch(joining, false, () -> ChangeEvents.start(exchange, feeds, key, start));
  }

  /**
   * Compiles the request.
   *
   * @throws RestFailure as for a read; 0A000 if the rows have no key
   */
  private WatchedRows watched(ChangesKey watched) {
    var table = model.require(watched.profile(), watched.table());
    var key = requireKey(table);
    var request = reads.request(table, watched.query(), watched.range(), false);
    var compiler = new ReadCompiler(model, capabilities, request);
    var level = compiler.compile(table);
    var keyShape = new JsonShape.Builder();
    var keyed = keyed(table, key, requireRows(table, level.select()), keyShape);
    if (request.root().after() != ReadQuery.NONE) {
      throw RestFailure.malformed("A cursor has no meaning where changes are followed");
    }
    var plan =
        new ReadPlan(
            statements.prepare(keyed),
            null,
            false,
            level.shape().build(),
            level.members(),
            compiler.readers(),
            Cost.of(keyed, false, limits.estimatedRows()),
            limits.maxCost(),
            null,
            new PlacementHistory("changes of " + table.name()));
    var encoder = new Encoder(keyShape.build(), plan.shape());
    return WatchedRows.of(table.table(), plan.rows(), plan.arguments(request.values()), encoder);
  }

  private static Key requireKey(RestTable table) {
    var key = table.table().primaryKey();
    if (key == null) {
      throw RestFailure.unsupported(
          "'" + table.name() + "' has no primary key, so its rows cannot be identified",
          "Follow a table that has one; poll others with If-None-Match");
    }
    return key;
  }

  private static Select requireRows(RestTable table, Select select) {
    if (!select.groupBy().isEmpty()
        || select.outputs().stream().anyMatch(Output.Aggregate.class::isInstance)) {
      throw RestFailure.unsupported(
          "Aggregates of '" + table.name() + "' cannot be followed: they are not rows",
          "Follow the rows, or aggregates of rows that are embedded in them");
    }
    return select;
  }

  /** Returns the select with the key columns appended. */
  private static Select keyed(RestTable table, Key key, Select select, JsonShape.Builder shape) {
    var outputs = new ArrayList<>(select.outputs());
    table
        .columns()
        .forEach((name, column) -> {
          if (key.columns().contains(column.name())) {
            shape.member(name, new Node.Value(outputs.size(), column.type(), true, column.name()));
            outputs.add(new Output.Column(column.name()));
          }
        });
    return select.outputs(outputs);
  }

  private record Encoder(JsonShape key, JsonShape row) implements WatchedRows.Encoder {

    @Override
    public byte[] key(Row from) {
      return json(key, from, () -> {});
    }

    @Override
    public byte[] row(Row from, RowCounter nested) {
      return json(row, from, nested);
    }

    private static byte[] json(JsonShape shape, Row from, RowCounter counter) {
      var json = JsonWriter.inMemory();
      shape.write(json, from, counter);
      return json.take();
    }
  }
}
