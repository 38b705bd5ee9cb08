// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the tables that a select reads: its own, nested ones, and those that it filters and
 * orders by.
 */
final class TablesRead {

  private final Set<TableName> tables = new HashSet<>();

  private TablesRead() {}

  static Set<TableName> by(Select select) {
    var read = new TablesRead();
    read.add(select);
    return Set.copyOf(read.tables);
  }

  static Set<TableName> beside(Select select) {
    var read = new TablesRead();
    read.addBeside(select);
    return Set.copyOf(read.tables);
  }

  private void add(Select select) {
    tables.add(select.from());
    addBeside(select);
  }

  private void addBeside(Select select) {
    add(select.where());
    select.orderBy().forEach(order -> add(order.path()));
    for (var output : select.outputs()) {
      switch (output) {
        case Output.Nested nested -> add(nested.select());
        case Output.Related related -> add(related.path());
        case Output.Single single -> {}
        case Output.Cast cast -> {}
        case Output.Aggregate aggregate -> {}
      }
    }
  }

  private void add(List<Relationship> path) {
    path.forEach(step -> tables.add(step.to()));
  }

  private void add(@Nullable Filter filter) {
    switch (filter) {
      case null -> {}
      case Filter.And(var filters) -> filters.forEach(this::add);
      case Filter.Or(var filters) -> filters.forEach(this::add);
      case Filter.Not(var inner) -> add(inner);
      case Filter.Exists(var relationship, var inner) -> {
        tables.add(relationship.to());
        add(inner);
      }
      case Filter.Aggregated aggregated -> {
        tables.add(aggregated.relationship().to());
        add(aggregated.where());
      }
      case Filter.Compare compare -> {}
      case Filter.CompareColumns compare -> {}
      case Filter.In in -> {}
      case Filter.IsNull isNull -> {}
      case Filter.AtPath at -> {}
      case Filter.FullText search -> {}
    }
  }
}
