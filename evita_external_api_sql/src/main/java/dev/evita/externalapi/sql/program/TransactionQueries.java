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
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.core.work.Work;
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
import org.jspecify.annotations.Nullable;

/** Executes the queries of a handler in its transaction. */
public final class TransactionQueries implements HandlerTransaction {

  private static final String RELATION = "request";

  private final Work work;
  private final Statements statements;
  private final @Nullable Transaction transaction;

  /**
   * @param work with which each statement is cancelled
   */
  public TransactionQueries(Work work, Statements statements, @Nullable Transaction transaction) {
    this.work = work;
    this.statements = statements;
    this.transaction = transaction;
  }

  @Override
  public List<Map<String, @Nullable Object>> query(String text, Map<String, ?> values) {
    var inputs = new ArrayList<NativeQuery.Input>();
    var arguments = new ArrayList<@Nullable Object>();
    values.forEach((name, value) -> {
      inputs.add(new NativeQuery.Input(name, type(name, value), new Parameter(inputs.size())));
      arguments.add(value);
    });
    if (inputs.isEmpty()) {
      inputs.add(new NativeQuery.Input("id", Scalar.INT64, new Parameter(0)));
      arguments.add(null);
    }
    var readOnly = transaction != null && transaction.options().readOnly();
    var prepared = statements.prepare(new NativeQuery(text, RELATION, inputs, readOnly));
    var rows = new Rows(work, prepared.shape());
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
    private final Work work;
    private final RowShape shape;
    private final Quota quota;
    private @Nullable RuntimeException failure;

    Rows(Work work, RowShape shape) {
      this.work = work;
      this.shape = shape;
      this.quota = Quota.held(work.limits(), 0);
    }

    /** The transaction's execution is the work's; each statement is cancelled with it. */
    @Override
    public void started(Execution execution) {
      work.started(execution);
    }

    @Override
    public int maxHeldRows() {
      return work.limits().maxHeldRows();
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
