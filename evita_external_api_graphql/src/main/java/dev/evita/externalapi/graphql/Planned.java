// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.KeyValues;
import dev.evita.api.Operation;
import dev.evita.api.Parameter;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.Cost;
import dev.evita.externalapi.core.TablesRead;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An operation with all that its run needs.
 *
 * @param bound the operation of each step of a query; null for introspection
 * @param works what each step of a mutation does; empty for queries
 * @param variables as the request gives them
 * @param cost as {@link Cost} estimates it
 * @param stream what a streaming subscription reads; null for any other operation
 */
@SuppressWarnings("ArrayRecordComponent")
record Planned(
    Variant variant,
    Source.@Nullable Bound[] bound,
    List<MutationWork> works,
    Map<String, @Nullable Object> variables,
    double cost,
    @Nullable StreamPlan stream) {

  /** The tables that it reads. */
  Set<TableName> tables() {
    return TablesRead.by(operations());
  }

  /**
   * The only row of a table that it reads, where it is one select that asks for it by its key and
   * does not come back to the table by a relationship.
   */
  Map<TableName, KeyValues> keys() {
    var asked = new ArrayList<Integer>();
    for (int i = 0; i < bound.length; i++) {
      if (bound[i] != null) {
        asked.add(i);
      }
    }
    if (asked.size() != 1) {
      return Map.of();
    }
    var only = asked.getFirst();
    var source = variant.steps().get(only).work().query();
    var one = Objects.requireNonNull(bound[only]);
    if (source == null
        || !(one.operation() instanceof Select select)
        || select.tablesBeside().contains(select.from())) {
      return Map.of();
    }
    return source
        .key(select, one.arguments())
        .map(key -> Map.of(select.from(), key))
        .orElse(Map.of());
  }

  /** Whether it does other things than read tables, as routines may. */
  boolean calls() {
    return operations().stream().anyMatch(operation -> !(operation instanceof Select));
  }

  private List<Operation> operations() {
    return Arrays.stream(bound).filter(Objects::nonNull).map(Source.Bound::operation).toList();
  }

  /**
   * What it asks the engine: of one variant, those that are equal in it have the same answer.
   * Variables can change operations, such as their order, and not only arguments.
   */
  List<@Nullable Object> asked() {
    var all = new ArrayList<@Nullable Object>();
    for (var one : bound) {
      if (one != null) {
        all.add(one.operation());
        all.add(one.paging());
        for (int i = 0; i < one.arguments().size(); i++) {
          all.add(one.arguments().get(new Parameter(i)));
        }
      }
    }
    return all;
  }

  /**
   * Refuses a subscription where an answer is awaited that ends.
   *
   * @throws RequestError {@code NOT_ACCEPTABLE}
   */
  void requireEnd() {
    if (variant.subscription()) {
      throw RequestError.of(
          ErrorCode.NOT_ACCEPTABLE,
          "A subscription needs a WebSocket ("
              + GraphQlSocket.PROTOCOL
              + ") or 'Accept: text/event-stream'");
    }
  }
}
