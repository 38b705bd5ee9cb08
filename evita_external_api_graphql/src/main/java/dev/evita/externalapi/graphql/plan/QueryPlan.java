// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.KeyValues;
import dev.evita.api.Operation;
import dev.evita.api.Parameter;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.live.ReadTables;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The plan of a query. Immutable: a live query executes it many times. */
public final class QueryPlan implements SinglePlan {

  private final OperationVariant.Query variant;
  private final BoundStep[] steps;
  private final Map<String, @Nullable Object> variables;
  private final double cost;

  QueryPlan(
      OperationVariant.Query variant,
      BoundStep[] steps,
      Map<String, @Nullable Object> variables,
      double cost) {
    this.variant = variant;
    this.steps = steps;
    this.variables = variables;
    this.cost = cost;
  }

  public OperationVariant.Query variant() {
    return variant;
  }

  /** The steps in the order of the response. Not to be changed. */
  BoundStep[] steps() {
    return steps;
  }

  /** The variables as given by the request. */
  Map<String, @Nullable Object> variables() {
    return variables;
  }

  @Override
  public PlacementHistory plan() {
    return variant.plan();
  }

  @Override
  public boolean bounded() {
    for (var step : steps) {
      if (!step.bounded()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public double cost() {
    return cost;
  }

  @Override
  public int rootFields() {
    return variant.rootFields();
  }

  @Override
  public int aliases() {
    return variant.aliases();
  }

  @Override
  public Runnable run(Response response, ResponseTarget responseTarget, int rows) {
    return new QueryExecution(response, responseTarget, this, rows);
  }

  /** The tables that it reads. */
  public Set<TableName> tables() {
    return ReadTables.by(operations());
  }

  /**
   * Returns the only row of a table that it reads, if it is one select by key that does not return
   * to the table by a relationship.
   */
  public Map<TableName, KeyValues> keys() {
    var readings = readings();
    if (readings.size() != 1
        || !(readings.getFirst() instanceof BoundStep.Rows rows)
        || !(rows.bound().operation() instanceof Select select)
        || select.tablesBeside().contains(select.from())) {
      return Map.of();
    }
    return rows.source()
        .operation()
        .key(select, rows.bound().arguments())
        .map(key -> Map.of(select.from(), key))
        .orElse(Map.of());
  }

  /** Whether it does more than read tables, as routines may. */
  public boolean calls() {
    return operations().stream().anyMatch(operation -> !(operation instanceof Select));
  }

  private List<Operation> operations() {
    return readings().stream().map(reading -> reading.bound().operation()).toList();
  }

  private List<BoundStep.Reading> readings() {
    var readings = new ArrayList<BoundStep.Reading>();
    for (var step : steps) {
      if (step instanceof BoundStep.Reading reading) {
        readings.add(reading);
      }
    }
    return readings;
  }

  /**
   * The operations that it executes: plans of one variant with equal operations and arguments have
   * the same response. Variables can change operations, such as their order, and not only
   * arguments.
   */
  public List<@Nullable Object> executed() {
    var all = new ArrayList<@Nullable Object>();
    for (var reading : readings()) {
      var bound = reading.bound();
      all.add(bound.operation());
      all.add(bound.paging());
      for (int i = 0; i < bound.arguments().size(); i++) {
        all.add(bound.arguments().get(new Parameter(i)));
      }
    }
    return all;
  }
}
