// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Arguments;
import dev.evita.api.Output;
import dev.evita.api.Prepared;
import dev.evita.api.Select;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.rest.model.ValueReader;
import dev.evita.externalapi.rest.request.ReadQuery;
import dev.evita.externalapi.rest.request.RowWindow;
import dev.evita.externalapi.rest.response.EmbedLevel;
import dev.evita.externalapi.rest.response.RowFormat;
import dev.evita.externalapi.rest.response.RowWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's shape, compiled. Immutable, thread-safe.
 *
 * @param count counts all rows that pass; null where nobody asks
 * @param aggregated whether aggregates make one row of all, to which limit and offset apply
 * @param readers how each value becomes an argument; null for numbers
 * @param maxCost what a run may cost
 * @param keyset null where rows are not paged by position
 */
public record ReadPlan(
    Prepared rows,
    @Nullable Prepared count,
    boolean aggregated,
    JsonShape shape,
    List<EmbedLevel.Member> members,
    @Nullable ValueReader[] readers,
    Cost cost,
    long maxCost,
    @Nullable Keyset keyset,
    PlacementHistory plan) {

  /** The window of a request's rows. */
  public RowWindow window(ReadQuery request) {
    var window = RowWindow.of(request);
    return aggregated ? window.ofOne() : window;
  }

  /** The writer of the rows of a request, which applies the window where no engine does. */
  public RowWriter writer(RowFormat format, ReadQuery request) {
    var writer = new RowWriter(format, shape, members);
    var window = window(request);
    return aggregated ? writer.window(window.offset(), window.limit()) : writer;
  }

  /** Of groups, the rows that make them are counted. */
  public static Select count(Select select) {
    var all = new Output.Aggregate(Output.Function.COUNT, List.of(), false);
    return Select.of(select.from(), List.of(all)).where(select.where());
  }

  /**
   * The arguments of a run.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}, {@code TOO_COSTLY}
   */
  public Arguments arguments(List<Object> values) {
    var arguments = keyset == null ? read(values) : keyset.arguments(this, values);
    cost.requireAtMost(maxCost, arguments);
    return arguments;
  }

  private Arguments read(List<Object> values) {
    var arguments = new @Nullable Object[values.size()];
    read(values, arguments);
    return Arguments.of(arguments);
  }

  public void read(List<Object> values, @Nullable Object[] arguments) {
    for (int i = 0; i < values.size(); i++) {
      var reader = readers[i];
      arguments[i] = reader == null ? values.get(i) : reader.read(values.get(i));
    }
  }

  /** Whether a run surely ends soon on the calling thread. */
  boolean bounded(Arguments arguments) {
    return rows.bounded(arguments) && count == null;
  }
}
