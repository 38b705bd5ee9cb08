// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.Arguments;
import dev.evita.api.Capability;
import dev.evita.api.Column;
import dev.evita.api.Delete;
import dev.evita.api.ErrorCode;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.Operation;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Update;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.insert.InsertPlanner;
import dev.evita.externalapi.core.insert.InsertReturning;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.model.RestTable;
import dev.evita.externalapi.rest.reads.ReadCompiler;
import dev.evita.externalapi.rest.request.Condition;
import dev.evita.externalapi.rest.request.Operator;
import dev.evita.externalapi.rest.request.Preferences;
import dev.evita.externalapi.rest.request.ReadQuery;
import dev.evita.externalapi.rest.request.RequestRows;
import dev.evita.externalapi.rest.response.EmbedLevel;
import dev.evita.externalapi.rest.response.TransactionStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Compiles a writing request into one operation with its arguments. Used once. */
final class WriteRequestCompiler {

  private final RestModel model;
  private final Statements statements;
  private final RestTable table;
  private final ReadQuery request;
  private final Preferences preferences;
  private final ReadCompiler compiler;

  WriteRequestCompiler(
      RestModel model,
      Set<Capability> capabilities,
      Statements statements,
      RestTable table,
      ReadQuery request,
      Preferences preferences) {
    this.model = model;
    this.statements = statements;
    this.table = table;
    this.request = request;
    this.preferences = preferences;
    this.compiler = new ReadCompiler(model, capabilities, request);
    var root = request.root();
    if (root.limit() != ReadQuery.NONE || root.offset() != ReadQuery.NONE) {
      throw new RestFailure(
          400,
          HttpErrorCode.MALFORMED_REQUEST,
          "PGRST114",
          "limit and offset are not allowed where rows are written",
          null,
          "Add a filter that selects the rows");
    }
  }

  /** Compiles POST: inserts rows, or updates those whose key exists. */
  WritePlan insert(RequestRows rows) {
    requireNoFilter();
    rows.requireAlike();
    return insert(rows, onConflict(() -> merged(rows)));
  }

  /**
   * Compiles POST with nested rows.
   *
   * @param response receives the representation of the rows of the table itself
   */
  TransactionStep insert(
      NestedRows rows, Function<ReturnedRepresentation, WriteResponseRows> response) {
    requireNoFilter();
    var level = rows.read(onConflict(rows::columns), preferences.missingDefault());
    var returned = returned(shown());
    if (returned.outputs().stream().anyMatch(Output.Aggregate.class::isInstance)) {
      throw RestFailure.unsupported(
          "Rows that were added cannot be aggregated", "Name columns and related rows in select");
    }
    var written = response.apply(returned);
    var selection = new InsertReturning.Selection(returned.outputs(), Arrays.asList(values()));
    var asking =
        returned.outputs().isEmpty()
            ? null
            : new BodyReturning(table, selection, written, JsonWriter.inMemory());
    return new NestedInsertStep(new InsertPlanner(statements, asking).plan(level), written);
  }

  private WritePlan insert(RequestRows rows, Insert.@Nullable OnConflict onConflict) {
    var names = List.copyOf(rows.columns());
    var columns = names.stream().map(table::requireWritable).toList();
    var absent = preferences.missingDefault() ? InsertRows.DEFAULT : null;
    var values = new ArrayList<@Nullable Object[]>(rows.rows().size());
    for (var row : rows.rows()) {
      var each = new @Nullable Object[columns.size()];
      for (int i = 0; i < each.length; i++) {
        each[i] = rows.value(row, names.get(i), columns.get(i), absent);
      }
      values.add(each);
    }
    var returned = returned(shown());
    var operation =
        new Insert(
            table.table().name(),
            columns.stream().map(Column::name).toList(),
            new Parameter(request.values().size()),
            onConflict,
            returned.outputs());
    return plan(operation, arguments(new InsertRows(values)), returned);
  }

  private void requireNoFilter() {
    if (!request.root().conditions().isEmpty()) {
      throw RestFailure.malformed("A filter has no meaning where rows are added");
    }
  }

  private Insert.@Nullable OnConflict onConflict(Supplier<List<String>> merged) {
    var named = request.onConflict();
    if (preferences.resolution() == null || (named == null && key().isEmpty())) {
      return null;
    }
    var key =
        named == null
            ? key()
            : List.of(named.split(",", -1)).stream()
                .map(name -> table.requireColumn(name.strip()).name())
                .toList();
    if (named != null && !isKey(key)) {
      throw new RestFailure(
          400,
          ErrorCode.INVALID_OPERATION,
          "42P10",
          "there is no unique or exclusion constraint matching the ON CONFLICT specification",
          "on_conflict is '" + RestFailure.shortened(named) + "'",
          null);
    }
    return new Insert.OnConflict(
        key, preferences.resolution() == Preferences.Resolution.IGNORE ? List.of() : merged.get());
  }

  private List<String> merged(RequestRows rows) {
    return rows.columns().stream().map(name -> table.requireWritable(name).name()).toList();
  }

  private boolean isKey(List<String> columns) {
    var wanted = Set.copyOf(columns);
    var primary = table.table().primaryKey();
    return (primary != null && Set.copyOf(primary.columns()).equals(wanted))
        || table.table().uniqueKeys().stream()
            .anyMatch(key -> Set.copyOf(key.columns()).equals(wanted));
  }

  /** Compiles PUT: inserts or replaces one row by its key. */
  WritePlan put(RequestRows rows) {
    var key = key();
    var byKey = keyValues(key);
    if (rows.rows().size() != 1) {
      throw new RestFailure(
          400,
          HttpErrorCode.MALFORMED_REQUEST,
          "PGRST102",
          "PUT takes exactly one row",
          null,
          null);
    }
    var row = rows.rows().getFirst();
    for (int i = 0; i < byKey.size(); i++) {
      var name = model.catalog().apiName(table.table().name(), key.get(i));
      var given = row.get(name);
      if (given == null || !String.valueOf(given).equals(byKey.get(i))) {
        throw new RestFailure(
            400,
            ErrorCode.INVALID_OPERATION,
            "PGRST115",
            "Payload values do not match URL in primary key column(s)",
            "'" + name + "' is not " + RestFailure.shortened(byKey.get(i)) + " in the body",
            null);
      }
    }
    return insert(rows, new Insert.OnConflict(key, merged(rows)));
  }

  /** Returns the key values of the URL, in the key's order. */
  private List<String> keyValues(List<String> key) {
    var values = new ArrayList<String>();
    for (var column : key) {
      for (var condition : request.root().conditions()) {
        if (condition instanceof Condition.Test test
            && test.operator() == Operator.EQ
            && !test.negated()
            && test.quantifier() == Condition.Quantifier.ONE
            && test.field().isColumn()
            && table.requireColumn(test.field().column()).name().equals(column)) {
          values.add((String) request.values().get(test.first()));
        }
      }
    }
    if (key.isEmpty()
        || values.size() != key.size()
        || request.root().conditions().size() != values.size()) {
      throw RestFailure.notAllowed(
          "PGRST105",
          "Filters must include all and only primary key columns with 'eq' operators",
          null,
          "GET, HEAD, QUERY, POST, PATCH, DELETE, OPTIONS");
    }
    return values;
  }

  /** Compiles PATCH: updates the rows that match the filter. */
  WritePlan update(RequestRows rows) {
    if (rows.rows().size() != 1) {
      throw new RestFailure(
          400, HttpErrorCode.MALFORMED_REQUEST, "PGRST102", "PATCH takes one object", null, null);
    }
    var row = rows.rows().getFirst();
    var changes = new ArrayList<Update.Change>();
    var values = new ArrayList<@Nullable Object>();
    for (var name : rows.columns()) {
      var column = table.requireWritable(name);
      if (preferences.missingDefault() && !row.containsKey(name)) {
        changes.add(new Update.Change.Default(column.name()));
        continue;
      }
      changes.add(
          new Update.Change.Assign(
              column.name(), new Parameter(request.values().size() + values.size())));
      values.add(rows.value(row, name, column, null));
    }
    var shown = shown();
    var returned = returned(shown);
    var operation = new Update(table.table().name(), changes, filter(shown), returned.outputs());
    return plan(operation, arguments(values.toArray()), returned);
  }

  /** Compiles DELETE: deletes the rows that match the filter. */
  WritePlan delete() {
    var shown = shown();
    var returned = returned(shown, true);
    for (var output : returned.outputs()) {
      if (!(output instanceof Output.Column)) {
        throw RestFailure.unsupported(
            "Rows that were deleted are shown by their own columns only",
            "Leave related rows out of select");
      }
    }
    var operation = new Delete(table.table().name(), filter(shown), returned.outputs());
    return plan(operation, arguments(), returned);
  }

  /** Returns the representation of the written rows; its select contains the filter as well. */
  private EmbedLevel shown() {
    return compiler.compile(table);
  }

  private static @Nullable Filter filter(EmbedLevel level) {
    return level.select().where();
  }

  /** Returns the representation where no rows are written. */
  ReturnedRepresentation returned() {
    return returned(shown());
  }

  private ReturnedRepresentation returned(EmbedLevel shown) {
    return returned(shown, false);
  }

  /**
   * @param removed whether the rows no longer exist when they are returned
   */
  private ReturnedRepresentation returned(EmbedLevel shown, boolean removed) {
    return switch (preferences.returned()) {
      case MINIMAL -> new ReturnedRepresentation(null, List.of(), List.of(), null);
      case HEADERS_ONLY -> new ReturnedRepresentation(null, keyNames(), columns(key()), null);
      case REPRESENTATION ->
          shown.select().orderBy().isEmpty()
              ? new ReturnedRepresentation(shown, List.of(), shown.select().outputs(), null)
              : ordered(shown, removed);
    };
  }

  private ReturnedRepresentation ordered(EmbedLevel shown, boolean removed) {
    var key = InsertPlanner.identity(table.table());
    if (key == null) {
      throw RestFailure.unsupported(
          "Written rows of '" + table.name() + "' cannot be ordered, as it has no key",
          "Leave out order, or the rows by Prefer: return=minimal");
    }
    var select = shown.select();
    var outputs = new ArrayList<>(select.outputs());
    outputs.addAll(columns(key));
    var order =
        removed
            ? ReturnedOrder.ofRemoved(statements, select, key, values())
            : ReturnedOrder.ofKept(statements, select, key, values());
    return new ReturnedRepresentation(shown, List.of(), outputs, order);
  }

  private static List<Output> columns(List<String> names) {
    return names.stream().<Output>map(Output.Column::new).toList();
  }

  private List<String> key() {
    var key = table.table().primaryKey();
    return key == null ? List.of() : key.columns();
  }

  private WritePlan plan(
      Operation operation, Arguments arguments, ReturnedRepresentation returned) {
    return new WritePlan(table.table(), statements.prepare(operation), arguments, returned);
  }

  private List<String> keyNames() {
    return key().stream()
        .map(column -> model.catalog().apiName(table.table().name(), column))
        .toList();
  }

  private Arguments arguments(@Nullable Object... more) {
    var values = values();
    var all = Arrays.copyOf(values, values.length + more.length);
    System.arraycopy(more, 0, all, values.length, more.length);
    return Arguments.of(all);
  }

  /** Returns the values of the URL, as arguments. */
  private @Nullable Object[] values() {
    var readers = compiler.readers();
    var values = request.values().toArray(new @Nullable Object[0]);
    for (int i = 0; i < values.length; i++) {
      var reader = readers[i];
      values[i] = reader == null ? values[i] : reader.read(request.values().get(i));
    }
    return values;
  }
}
