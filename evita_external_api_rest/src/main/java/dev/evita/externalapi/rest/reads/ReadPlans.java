// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Capability;
import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.Table;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.PlanCache;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.model.RestTable;
import dev.evita.externalapi.rest.request.ReadQuery;
import dev.evita.externalapi.rest.request.RowRange;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Caches the plans of reading requests, by their shapes. Thread-safe; for one catalog epoch. */
public final class ReadPlans {

  private final RestModel model;
  private final Set<Capability> capabilities;
  private final Statements statements;
  private final String path;
  private final Limits limits;
  private final DepthLimit nesting;
  private final PlanCache<ReadPlan> plans;

  public ReadPlans(
      RestModel model,
      Set<Capability> capabilities,
      Statements statements,
      String path,
      Limits limits,
      long cacheChars) {
    this.model = model;
    this.capabilities = capabilities;
    this.statements = statements;
    this.path = path;
    this.limits = limits;
    this.nesting = limits.depthLimit();
    this.plans = new PlanCache<>(cacheChars);
  }

  /**
   * Parses the query of a request on a table.
   *
   * @param range the {@code Range} header; null for all rows
   * @param counts whether the number of all rows is wanted
   * @throws RestFailure PGRST100 where it does not follow the grammar; PGRST103 where the range and
   *     the URL have no row in common
   */
  public ReadQuery request(
      RestTable table, String query, @Nullable RowRange range, boolean counts) {
    var request = new ReadQuery(table.table().name().toString(), query, nesting);
    request.range(range);
    if (counts) {
      request.count();
    }
    return request;
  }

  /** Returns the plan; null if it has to be compiled. Does not call the engine. */
  public @Nullable ReadPlan ifPresent(ReadQuery request) {
    return plans.ifPresent(request.key());
  }

  /**
   * Returns the plan, compiling it if it is not cached. May block on the engine.
   *
   * @throws RestFailure if it names an unknown object or requires an unsupported feature
   */
  public ReadPlan get(RestTable table, ReadQuery request) {
    return plans.get(request.key(), key -> compile(table, request));
  }

  private ReadPlan compile(RestTable table, ReadQuery request) {
    var compiler = new ReadCompiler(model, capabilities, request);
    var level = compiler.compile(table);
    var name = "GET " + path + "/" + table.name();
    var paged = compiler.paged(level);
    var select = paged == null ? level.select() : paged.select();
    return new ReadPlan(
        statements.prepare(select),
        request.counts() ? statements.prepare(ReadPlan.count(level.select())) : null,
        ReadCompiler.isOneRow(level.select()),
        level.shape().build(),
        level.members(),
        compiler.readers(),
        Cost.of(level.select(), single(table.table(), select.where()), limits.estimatedRows()),
        limits.maxCost(),
        paged == null ? null : paged.keyset(),
        new PlacementHistory(name));
  }

  /** Whether the filter selects one row by its key. */
  private static boolean single(Table table, @Nullable Filter where) {
    var filters = where instanceof Filter.And(var all) ? all : Stream.ofNullable(where).toList();
    var equal =
        filters.stream()
            .filter(Filter.Compare.class::isInstance)
            .map(Filter.Compare.class::cast)
            .filter(compare -> compare.comparison() == Comparison.EQUAL)
            .map(Filter.Compare::column)
            .toList();
    return table.identifies(equal);
  }
}
