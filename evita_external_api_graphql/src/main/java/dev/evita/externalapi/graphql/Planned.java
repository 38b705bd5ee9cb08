// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Operation;
import dev.evita.api.Select;
import dev.evita.api.TableName;
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
 */
@SuppressWarnings("ArrayRecordComponent")
record Planned(
    Variant variant,
    Source.@Nullable Bound[] bound,
    List<MutationWork> works,
    Map<String, @Nullable Object> variables,
    double cost) {

  /** The tables that it reads. */
  Set<TableName> tables() {
    return TablesRead.by(operations());
  }

  /** Whether it does other things than read tables, as routines may. */
  boolean calls() {
    return operations().stream().anyMatch(operation -> !(operation instanceof Select));
  }

  private List<Operation> operations() {
    return Arrays.stream(bound).filter(Objects::nonNull).map(Source.Bound::operation).toList();
  }
}
