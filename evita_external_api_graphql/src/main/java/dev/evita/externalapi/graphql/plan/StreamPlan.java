// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Arguments;
import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.model.FieldModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The plan of a stream, batch after batch: the rows beyond a position in a total order. The
 * position is the values that the last row has in the order's columns. Immutable.
 */
public final class StreamPlan implements SubscriptionPlan {

  /** A column of the order. */
  record Term(FieldModel.OfColumn field, boolean descending) {
    String column() {
      return field.column().name();
    }
  }

  private final StreamSource source;
  private final Select rows;
  private final @Nullable Object[] arguments;
  private final List<Term> terms;
  private final int batchSize;
  private final List<@Nullable Object> initial;

  /**
   * @param initial where it begins: values of the first terms; nulls for at the first row
   */
  StreamPlan(
      StreamSource source,
      Select rows,
      @Nullable Object[] arguments,
      List<Term> terms,
      int batchSize,
      List<@Nullable Object> initial) {
    this.source = source;
    this.arguments = arguments;
    this.terms = List.copyOf(terms);
    this.batchSize = batchSize;
    this.initial = initial.contains(null) ? List.of() : List.copyOf(initial);
    this.rows = rows;
  }

  public StreamSource source() {
    return source;
  }

  public int batchSize() {
    return batchSize;
  }

  public List<@Nullable Object> initial() {
    return initial;
  }

  /** What is read beyond a position, of as many values. */
  public Select select(int values) {
    var outputs = new ArrayList<>(rows.outputs());
    terms.forEach(term -> outputs.add(new Output.Column(term.column())));
    var filters = new ArrayList<Filter>();
    if (rows.where() != null) {
      filters.add(rows.where());
    }
    for (var term : terms) {
      if (term.field().column().nullable()) {
        filters.add(new Filter.Not(new Filter.IsNull(term.column())));
      }
    }
    if (values > 0) {
      filters.add(beyond(values));
    }
    return Select.of(rows.from(), outputs)
        .where(filters.isEmpty() ? null : new Filter.And(filters))
        .orderBy(terms.stream().map(StreamPlan::order).toList())
        .limit(new Parameter(arguments.length));
  }

  private static Order order(Term term) {
    return term.descending() ? Order.descending(term.column()) : Order.ascending(term.column());
  }

  /** Larger in the first column, or equal in it and larger in the second, and so on. */
  private Filter beyond(int values) {
    var cases = new ArrayList<Filter>();
    for (int i = 0; i < values; i++) {
      var all = new ArrayList<Filter>();
      for (int j = 0; j < i; j++) {
        all.add(compare(j, Comparison.EQUAL));
      }
      all.add(compare(i, terms.get(i).descending() ? Comparison.LESS : Comparison.GREATER));
      cases.add(all.size() == 1 ? all.getFirst() : new Filter.And(all));
    }
    return cases.size() == 1 ? cases.getFirst() : new Filter.Or(cases);
  }

  private Filter compare(int term, Comparison comparison) {
    return new Filter.Compare(
        terms.get(term).column(), comparison, new Parameter(arguments.length + 1 + term));
  }

  /**
   * Prepares to read beyond a position.
   *
   * @throws dev.evita.api.EvitaException as {@link dev.evita.api.Engine#prepare}
   */
  public Prepared prepare(int values) {
    return source.api().statements().prepare(select(values));
  }

  public Arguments arguments(List<?> position) {
    var all = Arrays.copyOf(arguments, arguments.length + 1 + position.size());
    all[arguments.length] = batchSize;
    for (int i = 0; i < position.size(); i++) {
      all[arguments.length + 1 + i] = position.get(i);
    }
    return Arguments.of(all);
  }

  /** What a batch costs, as {@link Cost} estimates it. */
  double cost() {
    var estimated = source.api().estimatedRows();
    return Cost.of(select(initial.size()), false, estimated).with(arguments(initial));
  }

  /** Where a row stands. */
  public List<@Nullable Object> position(Row row) {
    var first = rows.outputs().size();
    var position = new ArrayList<@Nullable Object>(terms.size());
    for (int i = 0; i < terms.size(); i++) {
      position.add(row.objectAt(first + i));
    }
    return position;
  }

  /** The position as what a client can hold on to. */
  public String text(List<?> position) {
    var json = JsonWriter.inMemory();
    json.raw('[');
    for (int i = 0; i < position.size(); i++) {
      if (i > 0) {
        json.raw(',');
      }
      json.value(terms.get(i).field().column().type(), position.get(i));
    }
    json.raw(']');
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json.take());
  }

  /** The position that a client held on to; null where it is none of this stream's. */
  public @Nullable List<@Nullable Object> position(String text) {
    try {
      var json = Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.UTF_8));
      if (!(JsonTree.parse(json) instanceof List<?> list) || list.size() != terms.size()) {
        return null;
      }
      var position = new ArrayList<@Nullable Object>();
      for (int i = 0; i < list.size(); i++) {
        var field = terms.get(i).field();
        var type = source.api().inputObject(source.model().cursorValue()).getField(field.name());
        position.add(
            source
                .api()
                .inputs()
                .fromJson(type.getType(), list.get(i), ValuePath.of("Last-Event-ID")));
      }
      return position.contains(null) ? null : position;
    } catch (IllegalArgumentException | JacksonException e) {
      return null;
    }
  }
}
