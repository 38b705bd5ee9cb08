// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.Arguments;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.NativeQuery;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.api.Values;
import dev.evita.externalapi.core.carpool.SetBasedQuery;
import dev.evita.externalapi.core.work.BlockingExecution;
import dev.evita.externalapi.sql.declaration.HandlerDeclaration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a set-based handler returns the same for two requests at once as for each alone: an
 * {@code order by ... limit 1}, or an aggregate over all requests, would be wrong. Each execution
 * is rolled back.
 *
 * <p>The requests have values that are stored in a column of the input's name, in a table that the
 * handler names; without one, a value of the input's type. Columns that differ between two
 * executions for the same request, such as a time or a number of a sequence, are not compared.
 */
final class SetBasedCheck {

  private static final Logger LOG = LoggerFactory.getLogger(SetBasedCheck.class);

  /** The number of rows among which different values are sought. */
  private static final long SAMPLE = 100;

  private static final int ATTEMPTS = 3;
  private static final int LONGEST_SECONDS = 2;

  private final HandlerDeclaration declaration;
  private final Prepared prepared;
  private final SqlHandler.Scope scope;
  private final List<NativeQuery.Input> inputs;
  private final int idSlot;

  SetBasedCheck(HandlerDeclaration declaration, Prepared prepared, SqlHandler.Scope scope) {
    this.declaration = declaration;
    this.prepared = prepared;
    this.scope = scope;
    this.inputs = ((NativeQuery) prepared.operation()).inputs();
    this.idSlot = idSlot();
  }

  private int idSlot() {
    var slots = prepared.shape().slots();
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i).name().equalsIgnoreCase(SetBasedQuery.ID)) {
        return i;
      }
    }
    throw new IllegalStateException("no column id");
  }

  /**
   * Executes the handler.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} if the results differ
   */
  void requireSameResults() {
    String difference = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        compare();
        return;
      } catch (DifferentRowsException e) {
        difference = e.getMessage(); // another client may have written meanwhile
      } catch (EvitaException e) {
        if (e.code() != ErrorCode.DEADLINE_EXCEEDED) {
          throw e;
        }
        unchecked(e);
        return;
      }
    }
    throw HandlerDeclaration.fault(
        declaration.name(), declarationLine(), String.valueOf(difference));
  }

  private void unchecked(EvitaException reason) {
    LOG.warn(
        "Handler {} was not checked for being set-based, as an execution failed: {}",
        declaration.name(),
        reason.publicMessage());
  }

  private int declarationLine() {
    var line = 0;
    for (var each : declaration.text().lines().toList()) {
      line++;
      if (each.strip().startsWith("-- set-based")) {
        return line;
      }
    }
    return 1;
  }

  /** Rows of a batch and of single requests differ. */
  private static final class DifferentRowsException extends Exception {
    private static final long serialVersionUID = 1;

    DifferentRowsException(String message) {
      super(message);
    }
  }

  private void compare() throws DifferentRowsException {
    var first = request(0);
    var second = request(1);
    List<List<String>> one;
    List<List<String>> same;
    List<List<String>> two;
    try {
      one = rows(List.of(List.of(first)));
      same = rows(List.of(List.of(first)));
      two = rows(List.of(List.of(second)));
    } catch (EvitaException e) {
      if (e.code().category() != ErrorCode.Category.USER) {
        throw e;
      }
      unchecked(e);
      return;
    }
    var ignored = differing(one, same);
    var expected = new ArrayList<>(one);
    two.forEach(row -> expected.add(renumbered(row, 1)));
    requireEqual(expected, together(first, second), ignored, "two requests");
    var setBased = declaration.setBased();
    if (!declaration.readOnly() && (setBased == null || setBased.conflictKey() == null)) {
      var each = rows(List.of(List.of(first), List.of(first)));
      requireEqual(each, together(first, first), ignored, "two requests with equal values");
    }
  }

  private List<List<String>> together(Arguments one, Arguments other)
      throws DifferentRowsException {
    try {
      return rows(List.of(List.of(one, other)));
    } catch (EvitaException e) {
      if (e.code().category() != ErrorCode.Category.USER) {
        throw e;
      }
      throw new DifferentRowsException(
          "it is declared set-based, but fails for two requests at once: " + e.publicMessage());
    }
  }

  private void requireEqual(
      List<List<String>> expected, List<List<String>> actual, Set<Integer> ignored, String what)
      throws DifferentRowsException {
    var left = comparable(expected, ignored);
    var right = comparable(actual, ignored);
    if (!left.equals(right)) {
      throw new DifferentRowsException(
          "it is declared set-based, but returns other rows for %s at once (%s) than for each alone"
                  .formatted(what, right)
              + " (%s); relate each row to its request.id, without limit or aggregates over all"
                  .formatted(left)
              + " requests, and declare a conflict-key if equal values conflict; or remove"
              + " '-- set-based: true'");
    }
  }

  private static List<String> comparable(List<List<String>> rows, Set<Integer> ignored) {
    var all = new ArrayList<String>();
    for (var row : rows) {
      var shown = new ArrayList<String>();
      for (int i = 0; i < row.size(); i++) {
        if (!ignored.contains(i)) {
          shown.add(row.get(i));
        }
      }
      all.add(shown.toString());
    }
    all.sort(null);
    return all;
  }

  /** The columns that differ although nothing else does. */
  private static Set<Integer> differing(List<List<String>> one, List<List<String>> same) {
    var slots = new HashSet<Integer>();
    for (int i = 0; i < Math.min(one.size(), same.size()); i++) {
      for (int k = 0; k < one.get(i).size(); k++) {
        if (!one.get(i).get(k).equals(same.get(i).get(k))) {
          slots.add(k);
        }
      }
    }
    return slots;
  }

  private List<String> renumbered(List<String> row, int number) {
    var copy = new ArrayList<>(row);
    copy.set(idSlot, String.valueOf(number));
    return copy;
  }

  /** The result rows of batches, one after another in a transaction that is rolled back. */
  private List<List<String>> rows(List<List<Arguments>> batches) {
    var rows = new ArrayList<List<String>>();
    try {
      var transaction =
          scope
              .statements()
              .begin(
                  new TransactionOptions(
                      TransactionOptions.Isolation.DEFAULT, declaration.readOnly()))
              .toCompletableFuture()
              .join();
      try {
        var number = 0;
        for (var batch : batches) {
          var first = number++;
          run(
              transaction,
              batch,
              row -> {
                var texts = texts(row);
                rows.add(batches.size() > 1 ? renumbered(texts, first) : texts);
              });
        }
      } finally {
        transaction.rollback().toCompletableFuture().join();
      }
    } catch (CompletionException e) {
      throw EvitaException.from(e);
    }
    return rows;
  }

  private void run(Transaction transaction, List<Arguments> batch, Consumer<Row> rows) {
    var unused =
        BlockingExecution.run(
            prepared,
            SetBasedQuery.rows(inputs, batch),
            new BlockingExecution.Scope(transaction, SetBasedCheck::limit, Integer.MAX_VALUE),
            rows);
  }

  /** Others may hold locks for long, and the server must start. */
  private static void limit(Execution execution) {
    CompletableFuture.delayedExecutor(LONGEST_SECONDS, TimeUnit.SECONDS)
        .execute(() -> execution.cancel(ErrorCode.DEADLINE_EXCEEDED));
  }

  private List<String> texts(Row row) {
    var texts = new ArrayList<String>();
    for (int i = 0; i < prepared.shape().slots().size(); i++) {
      var value = row.objectAt(i);
      texts.add(value == null ? "null" : Values.format(value));
    }
    return texts;
  }

  /** The first or the second request. */
  private Arguments request(int number) {
    var values = new @Nullable Object[inputs.size()];
    for (int i = 0; i < values.length; i++) {
      var input = inputs.get(i);
      var declared =
          declaration.inputs().stream().anyMatch(each -> each.name().equals(input.name()));
      values[i] = declared ? value(input, number) : ofEachRequest(input, number);
    }
    return Arguments.of(values);
  }

  private @Nullable Object ofEachRequest(NativeQuery.Input input, int number) {
    return switch (input.name()) {
      case "method" -> "GET";
      case "path" -> "/check/" + number;
      case "headers" -> "{}";
      case "query_string", "body" -> "";
      default -> null;
    };
  }

  private Object value(NativeQuery.Input input, int number) {
    var stored = stored(input);
    return stored.isEmpty() ? made(input.type(), number) : stored.get(number % stored.size());
  }

  /** Up to two different values of a column with the input's name. */
  private List<Object> stored(NativeQuery.Input input) {
    var text = declaration.text().toLowerCase(Locale.ROOT);
    for (var table : scope.catalog().tables()) {
      if (text.contains(table.name().table().toLowerCase(Locale.ROOT))) {
        for (var column : table.columns()) {
          if (column.name().equalsIgnoreCase(input.name()) && isOfType(column.type(), input)) {
            return stored(table, column);
          }
        }
      }
    }
    return List.of();
  }

  private List<Object> stored(Table table, Column column) {
    var values = new ArrayList<Object>();
    var some =
        Select.of(table.name(), List.of(new Output.Column(column.name()))).limit(new Parameter(0));
    var unused =
        BlockingExecution.run(
            scope.statements().prepare(some),
            Arguments.of(SAMPLE),
            row -> {
              var value = row.objectAt(0);
              if (value != null && values.size() < 2 && !values.contains(value)) {
                values.add(value);
              }
            });
    return values;
  }

  private static boolean isOfType(DataType type, NativeQuery.Input input) {
    return type == input.type() || (isInteger(type) && isInteger(input.type()));
  }

  private static boolean isInteger(DataType type) {
    return type == DataType.Scalar.INT16
        || type == DataType.Scalar.INT32
        || type == DataType.Scalar.INT64;
  }

  private static Object made(DataType.Scalar type, int number) {
    return Values.parse(
        type,
        switch (type) {
          case BOOLEAN -> number == 0 ? "true" : "false";
          case INT16, INT32, INT64, DECIMAL, FLOAT32, FLOAT64 -> String.valueOf(number + 1);
          case TEXT -> number == 0 ? "a" : "b";
          case BINARY -> "";
          case DATE -> "2026-01-0" + (number + 1);
          case TIME -> "12:00:0" + number;
          case TIME_TZ -> "12:00:0" + number + "Z";
          case TIMESTAMP -> "2026-01-01T12:00:0" + number;
          case TIMESTAMP_TZ -> "2026-01-01T12:00:0" + number + "Z";
          case INTERVAL -> "P" + (number + 1) + "D";
          case UUID -> "00000000-0000-0000-0000-00000000000" + (number + 1);
          case JSON -> "{}";
        });
  }
}
