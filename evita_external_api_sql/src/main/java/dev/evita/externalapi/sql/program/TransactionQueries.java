// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.program;

import dev.evita.api.Arguments;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.NativeQuery;
import dev.evita.api.Parameter;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.Statements;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Executes the queries of a handler in its transaction. */
public final class TransactionQueries implements HandlerTransaction {

  private static final String RELATION = "request";

  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*");

  private final Limits limits;
  private final Statements statements;
  private final @Nullable Transaction transaction;
  private final Consumer<Execution> started;

  /**
   * @param started is passed each statement, so that it is cancelled with the transaction
   */
  public TransactionQueries(
      Limits limits,
      Statements statements,
      @Nullable Transaction transaction,
      Consumer<Execution> started) {
    this.limits = limits;
    this.statements = statements;
    this.transaction = transaction;
    this.started = started;
  }

  @Override
  public List<Map<String, @Nullable Object>> query(String text, Map<String, ?> values) {
    var inputs = new ArrayList<NativeQuery.Input>();
    var arguments = new ArrayList<@Nullable Object>();
    values.forEach((name, value) -> {
      if (!NAME.matcher(name).matches()) {
        throw new EvitaException(
            ErrorCode.INVALID_VALUE,
            "'" + name + "' is no name of a value; expected lower case, as in user_id");
      }
      inputs.add(new NativeQuery.Input(name, type(name, value), new Parameter(inputs.size())));
      arguments.add(value);
    });
    if (inputs.isEmpty()) {
      inputs.add(new NativeQuery.Input("id", Scalar.INT64, new Parameter(0)));
      arguments.add(null);
    }
    var readOnly = transaction != null && transaction.options().readOnly();
    var prepared = statements.prepare(new NativeQuery(text, RELATION, inputs, readOnly));
    var rows = new Rows(limits, started, prepared.shape());
    prepared.run(Arguments.of(arguments.toArray()), transaction, rows);
    try {
      return rows.result.join();
    } catch (CompletionException e) {
      throw EvitaException.from(e);
    }
  }

  private static Scalar type(String name, @Nullable Object value) {
    return switch (value) {
      case null -> Scalar.TEXT;
      case String text -> Scalar.TEXT;
      case Boolean flag -> Scalar.BOOLEAN;
      case Integer number -> Scalar.INT32;
      case Long number -> Scalar.INT64;
      case BigDecimal number -> Scalar.DECIMAL;
      case Double number -> Scalar.FLOAT64;
      case byte[] bytes -> Scalar.BINARY;
      case LocalDate day -> Scalar.DATE;
      case LocalDateTime moment -> Scalar.TIMESTAMP;
      case OffsetDateTime moment -> Scalar.TIMESTAMP_TZ;
      case UUID id -> Scalar.UUID;
      default ->
          throw new EvitaException(
              ErrorCode.INVALID_VALUE,
              "The value '%s' is a %s; expected a class that HandlerTransaction names"
                  .formatted(name, value.getClass().getName()));
    };
  }

  private static final class Rows implements RowSink {
    private final CompletableFuture<List<Map<String, @Nullable Object>>> result =
        new CompletableFuture<>();
    private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    private final Limits limits;
    private final Consumer<Execution> started;
    private final RowShape shape;
    private final Quota quota;
    private @Nullable RuntimeException failure;

    Rows(Limits limits, Consumer<Execution> started, RowShape shape) {
      this.limits = limits;
      this.started = started;
      this.shape = shape;
      this.quota = Quota.held(limits, 0);
    }

    @Override
    public void started(Execution execution) {
      started.accept(execution);
    }

    @Override
    public int maxHeldRows() {
      return limits.maxHeldRows();
    }

    @Override
    public Demand row(Row row) {
      try {
        quota.count();
        var values = new LinkedHashMap<String, @Nullable Object>();
        for (int i = 0; i < shape.slots().size(); i++) {
          values.put(shape.slots().get(i).name().toLowerCase(Locale.ROOT), row.objectAt(i));
        }
        rows.add(values);
        return Demand.MORE;
      } catch (RuntimeException e) {
        failure = e;
        return Demand.STOP;
      }
    }

    @Override
    public void completed(long affected) {
      var problem = failure;
      if (problem == null) {
        result.complete(rows);
      } else {
        result.completeExceptionally(problem);
      }
    }

    @Override
    public void failed(EvitaException problem) {
      result.completeExceptionally(problem);
    }
  }
}
