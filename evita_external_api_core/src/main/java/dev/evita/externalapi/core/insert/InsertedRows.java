// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.api.Arguments;
import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.Statements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads inserted rows again, with their related rows, and adds them to the response in the order of
 * their objects.
 *
 * <p>Rows with a single-column key are read by one statement; those of a longer key by one for each
 * {@link #MOST_KEYS} rows, as the number of keys is part of the statement's shape.
 */
final class InsertedRows implements TransactionExecution.Statement {

  private static final int MOST_KEYS = 64;

  private final Prepared prepared;
  private final @Nullable Object[] arguments;
  private final int firstKeySlot;
  private final List<Parameter> keyParameters;
  private final List<String> key;
  private final List<InsertObject> objects;
  private final InsertReturning returning;
  private final Map<List<Object>, Integer> positions = new HashMap<>();
  private final @Nullable Runnable[] found;

  private InsertedRows(
      Prepared prepared,
      @Nullable Object[] arguments,
      int firstKeySlot,
      List<Parameter> keyParameters,
      List<String> key,
      List<InsertObject> objects,
      InsertReturning returning) {
    this.prepared = prepared;
    this.arguments = arguments;
    this.firstKeySlot = firstKeySlot;
    this.keyParameters = keyParameters;
    this.key = key;
    this.objects = objects;
    this.returning = returning;
    this.found = new Runnable[objects.size()];
  }

  /**
   * Plans the statements that read the rows of a level.
   *
   * @param key the columns that identify a row
   * @param returning receives the rows
   */
  static List<InsertedRows> plan(
      Statements statements, InsertLevel level, List<String> key, InsertReturning returning) {
    var all = level.objects();
    var most = key.size() == 1 ? Math.max(1, all.size()) : MOST_KEYS;
    var selection = returning.selection();
    var outputs = new ArrayList<>(selection.outputs());
    key.forEach(column -> outputs.add(new Output.Column(column)));
    var reading = new ArrayList<InsertedRows>();
    for (int first = 0; first < all.size(); first += most) {
      var objects = List.copyOf(all.subList(first, Math.min(all.size(), first + most)));
      var parameters = parameters(key, sizeFor(objects.size()), selection.arguments().size());
      var select = Select.of(level.table().name(), outputs).where(filter(key, parameters));
      var arguments =
          Arrays.copyOf(
              selection.arguments().toArray(), selection.arguments().size() + parameters.size());
      reading.add(
          new InsertedRows(
              statements.prepare(select),
              arguments,
              selection.outputs().size(),
              parameters,
              key,
              objects,
              returning));
    }
    return reading;
  }

  /** Uses few sizes, so that few shapes are prepared. */
  private static int sizeFor(int objects) {
    var below = Integer.highestOneBit(objects);
    return below == objects ? objects : 2 * below;
  }

  /** One parameter for a list of single-column keys; else one for each column of so many keys. */
  private static List<Parameter> parameters(List<String> key, int size, int first) {
    var count = key.size() == 1 ? 1 : key.size() * size;
    return IntStream.range(first, first + count).mapToObj(Parameter::new).toList();
  }

  private static Filter filter(List<String> key, List<Parameter> parameters) {
    if (key.size() == 1) {
      return new Filter.In(key.getFirst(), parameters.getFirst());
    }
    var any = new ArrayList<Filter>();
    for (int i = 0; i < parameters.size(); i += key.size()) {
      var all = new ArrayList<Filter>();
      for (int column = 0; column < key.size(); column++) {
        all.add(new Filter.Compare(key.get(column), Comparison.EQUAL, parameters.get(i + column)));
      }
      any.add(new Filter.And(all));
    }
    return new Filter.Or(any);
  }

  /** Collects the keys to read; false if there are none. To be called first. */
  boolean open() {
    var keys = new ArrayList<List<Object>>();
    for (int i = 0; i < objects.size(); i++) {
      var object = objects.get(i);
      if (object.known()) {
        var values = key.stream().map(object::key).toList();
        keys.add(values);
        positions.putIfAbsent(RowKey.of(values), i);
      }
    }
    if (keys.isEmpty()) {
      return false;
    }
    if (key.size() == 1) {
      arguments[keyParameters.getFirst().index()] = keys.stream().map(List::getFirst).toList();
      return true;
    }
    for (int i = 0; i < keyParameters.size(); i++) {
      // Surplus parameters of the shape repeat the last key.
      var values = keys.get(Math.min(i / key.size(), keys.size() - 1));
      arguments[keyParameters.get(i).index()] = values.get(i % key.size());
    }
    return true;
  }

  double cost(int estimatedRows) {
    var ofRow = Cost.of(prepared.operation(), true, estimatedRows);
    return objects.size() * ofRow.with(Arguments.of(arguments));
  }

  @Override
  public Prepared prepared() {
    return prepared;
  }

  @Override
  public Arguments arguments() {
    return Arguments.of(arguments);
  }

  @Override
  public void row(Row row, Quota held) {
    var rendered = returning.render(row, held);
    var position = positions.get(RowKey.of(row, firstKeySlot, key.size()));
    if (position == null) {
      // The database returns the key in another form than the client's, such as with trailing
      // blanks.
      rendered.run();
    } else {
      found[position] = rendered;
    }
  }

  @Override
  public void completed(long unused) {
    Arrays.stream(found).filter(Objects::nonNull).forEach(Runnable::run);
  }
}
