// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.program;

import dev.evita.api.Arguments;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.NativeQuery;
import dev.evita.api.Parameter;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.Transaction;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.BlockingExecution;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Executes the queries of a handler in its transaction. */
public final class TransactionQueries implements HandlerTransaction {

  private static final String RELATION = "request";

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
      if (!isName(name)) {
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
    var scope = new BlockingExecution.Scope(transaction, started, limits.maxHeldRows());
    var rows = new ArrayList<Map<String, @Nullable Object>>();
    var quota = Quota.held(limits, 0);
    BlockingExecution.run(
        prepared,
        Arguments.of(arguments.toArray()),
        scope,
        row -> {
          quota.count();
          rows.add(values(prepared.shape(), row));
        });
    return rows;
  }

  private static Map<String, @Nullable Object> values(RowShape shape, Row row) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < shape.slots().size(); i++) {
      values.put(shape.slots().get(i).name().toLowerCase(Locale.ROOT), row.objectAt(i));
    }
    return values;
  }

  private static boolean isName(String text) {
    return !text.isEmpty()
        && !Character.isDigit(text.charAt(0))
        && text.chars().allMatch(c -> c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
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
}
