// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.EvitaException;
import dev.evita.api.Select;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.AbsentValue;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.StreamModel;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A streaming field of a subscription, whose arguments may still hold {@code VariableRef}s.
 *
 * @param rows the rows, without order and limit
 * @param shape of a row
 * @param key its key in the response
 */
public record StreamSource(
    GraphQlSchema api,
    StreamModel model,
    OperationTemplate.OfSelect rows,
    JsonShape shape,
    String key,
    @Nullable Object batchSize,
    @Nullable Object cursor) {

  private static final ValuePath CURSOR = ValuePath.of("cursor");
  private static final ValuePath BATCH_SIZE = ValuePath.of("batch_size");

  /**
   * Returns the plan for these values of variables.
   *
   * @throws EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP}
   */
  StreamPlan bind(Object[] values) {
    var builder = new OperationBuilder(values, api.depthLimit());
    var select = (Select) builder.build(rows);
    var arguments = builder.arguments();
    var initial = new ArrayList<@Nullable Object>();
    var terms = terms(builder, initial);
    var given = (int) initial.stream().takeWhile(value -> value != null).count();
    if (given < initial.size()) {
      if (given > 0 || initial.stream().anyMatch(value -> value != null)) {
        throw Inputs.invalid(CURSOR, "either all columns begin at a value, or all at null");
      }
    }
    addKey(terms);
    return new StreamPlan(this, select, arguments, terms, batchSize(builder), initial);
  }

  private List<StreamPlan.Term> terms(OperationBuilder builder, List<@Nullable Object> initial) {
    var terms = new ArrayList<StreamPlan.Term>();
    if (builder.resolve(cursor) instanceof List<?> cursors) {
      for (var element : cursors) {
        if (builder.resolve(element) instanceof Map<?, ?> one) {
          terms(builder, one, terms, initial);
        }
      }
    }
    if (terms.isEmpty()) {
      throw Inputs.invalid(CURSOR, "it names no column; expected {initial_value: {id: 0}}");
    }
    return terms;
  }

  private void terms(
      OperationBuilder builder,
      Map<?, ?> cursor,
      List<StreamPlan.Term> terms,
      List<@Nullable Object> initial) {
    var descending = "DESC".equals(builder.resolve(cursor.get("ordering")));
    if (!(builder.resolve(cursor.get("initial_value")) instanceof Map<?, ?> columns)) {
      return;
    }
    if (columns.size() != 1) {
      throw Inputs.invalid(
          CURSOR.member("initial_value"),
          "it has " + columns.size() + " columns; expected one, and a cursor for each");
    }
    for (var entry : columns.entrySet()) {
      var field =
          (FieldModel.OfColumn)
              Objects.requireNonNull(model.table().field(String.valueOf(entry.getKey())));
      var value = builder.resolve(entry.getValue());
      terms.add(new StreamPlan.Term(field, descending));
      initial.add(value instanceof AbsentValue ? null : value);
    }
  }

  /** Rows with equal cursor values could be lost between two batches. */
  private void addKey(List<StreamPlan.Term> terms) {
    var table = model.table();
    var key = table.table().primaryKey();
    var columns = terms.stream().map(term -> term.field().column().name()).toList();
    if (key == null || table.table().identifies(columns)) {
      return;
    }
    var descending = terms.getLast().descending();
    for (var column : key.columns()) {
      if (!columns.contains(column)) {
        terms.add(new StreamPlan.Term(table.fieldOf(column), descending));
      }
    }
  }

  private int batchSize(OperationBuilder builder) {
    var value = builder.resolve(batchSize);
    if (value instanceof Number number && number.longValue() > 0) {
      return number.intValue();
    }
    throw Inputs.invalid(BATCH_SIZE, value + " is not valid here; expected at least 1");
  }
}
