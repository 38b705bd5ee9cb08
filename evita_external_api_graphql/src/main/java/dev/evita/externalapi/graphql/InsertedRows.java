// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.externalapi.core.Cost;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.TransactionRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads inserted rows again, with what hangs on them, and puts them into the answer in the order of
 * their objects.
 *
 * <p>Rows of a key of one column are read by one statement; those of a longer key by one for each
 * {@link #MOST_KEYS} rows, as a shape knows how many keys are compared.
 */
final class InsertedRows implements TransactionRun.Statement {

  private static final int MOST_KEYS = 64;

  private final Prepared prepared;
  private final @Nullable Object[] arguments;
  private final int firstKeySlot;
  private final double cost;
  private final List<Parameter> keyParameters;
  private final List<String> key;
  private final List<InsertObject> objects;
  private final ReturnedRows answer;
  private final Map<List<Object>, Integer> positions = new HashMap<>();
  private final byte[][] @Nullable [] found;

  private InsertedRows(
      Select select,
      List<Parameter> keyParameters,
      OperationBuilder builder,
      GraphQlSchema api,
      List<String> key,
      List<InsertObject> objects,
      ReturnedRows answer) {
    this.prepared = api.statements().prepare(select);
    this.arguments = builder.arguments();
    this.cost =
        objects.size()
            * Cost.of(select, true, api.limits().estimatedRows()).with(Arguments.of(arguments));
    this.firstKeySlot = select.outputs().size() - key.size();
    this.keyParameters = keyParameters;
    this.key = key;
    this.objects = objects;
    this.answer = answer;
    this.found = new byte[objects.size()][][];
  }

  /**
   * The statements that read the rows of a level.
   *
   * @param key the columns by which a row is known
   * @param slots what is answered of each row
   */
  static List<InsertedRows> plan(
      GraphQlSchema api,
      Object[] values,
      InsertLevel level,
      List<String> key,
      List<Template.Slot> slots,
      ReturnedRows answer) {
    var all = level.objects();
    var most = key.size() == 1 ? Math.max(1, all.size()) : MOST_KEYS;
    var statements = new ArrayList<InsertedRows>();
    for (int first = 0; first < all.size(); first += most) {
      var objects = List.copyOf(all.subList(first, Math.min(all.size(), first + most)));
      var builder = new OperationBuilder(values, api.maxDepth());
      var outputs = new ArrayList<>(builder.outputs(level.table().table(), slots));
      key.forEach(column -> outputs.add(new Output.Column(column)));
      var parameters = new ArrayList<Parameter>();
      var filter = filter(key, sizeFor(objects.size()), builder, parameters);
      var select = Select.of(level.table().table().table().name(), outputs).where(filter);
      statements.add(new InsertedRows(select, parameters, builder, api, key, objects, answer));
    }
    return statements;
  }

  /** Few sizes, so that few shapes are prepared. */
  private static int sizeFor(int objects) {
    var below = Integer.highestOneBit(objects);
    return below == objects ? objects : 2 * below;
  }

  private static Filter filter(
      List<String> key, int size, OperationBuilder builder, List<Parameter> parameters) {
    if (key.size() == 1) {
      parameters.add(builder.add(null));
      return new Filter.In(key.getFirst(), parameters.getFirst());
    }
    var any = new ArrayList<Filter>();
    for (int i = 0; i < size; i++) {
      var all = new ArrayList<Filter>();
      for (var column : key) {
        var parameter = builder.add(null);
        parameters.add(parameter);
        all.add(new Filter.Compare(column, Comparison.EQUAL, parameter));
      }
      any.add(new Filter.And(all));
    }
    return new Filter.Or(any);
  }

  /** Finds out which rows there are; false where there are none to read. To be called first. */
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
      // What is too much in the shape asks for the last row again.
      var values = keys.get(Math.min(i / key.size(), keys.size() - 1));
      arguments[keyParameters.get(i).index()] = values.get(i % key.size());
    }
    return true;
  }

  double cost() {
    return cost;
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
    var rendered = answer.render(row, held);
    var position = positions.get(RowKey.of(row, firstKeySlot, key.size()));
    if (position == null) {
      // The database writes the key in another way than the client did, as blanks at its end.
      answer.add(rendered);
    } else {
      found[position] = rendered;
    }
  }

  @Override
  public void completed(long unused) {
    Arrays.stream(found).filter(Objects::nonNull).forEach(answer::add);
  }
}
