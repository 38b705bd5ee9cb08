// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Arguments;
import dev.evita.api.Comparison;
import dev.evita.api.Delete;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.externalapi.core.ApiContext;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.OwnTable;
import dev.evita.externalapi.core.Statements;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers that were given to requests with an {@code Idempotency-Key}, kept in a table of the
 * database: each is written in the transaction of the very write that it answers, so that there is
 * never one without the other.
 *
 * <p>Thread-safe; for one catalog epoch.
 */
final class IdempotencyKeys {

  private static final Logger LOG = LoggerFactory.getLogger(IdempotencyKeys.class);

  /** As much as the table can hold. */
  static final int LONGEST = 255;

  private static final long SWEEP_MILLIS = 60_000;

  private static final List<String> COLUMNS =
      List.of("id", "fingerprint", "created_ms", "status", "content_type", "headers", "body");
  private static final int FINGERPRINT = 1;
  private static final int CREATED = 2;
  private static final int STATUS = 3;
  private static final int CONTENT_TYPE = 4;
  private static final int HEADERS = 5;
  private static final int BODY = 6;

  private final Statements statements;
  private final @Nullable Table table;
  private final List<String> columns;
  private final long retentionMillis;
  private final AtomicLong swept = new AtomicLong(System.currentTimeMillis());

  /** An answer that was given before. */
  record Stored(String fingerprint, long createdMillis, Answer answer) {}

  IdempotencyKeys(ApiContext context, Duration retention) {
    this.statements = context.statements();
    this.table = OwnTable.IDEMPOTENCY_KEYS.in(context.source()).orElse(null);
    this.columns = table == null ? List.of() : OwnTable.columns(table, COLUMNS);
    this.retentionMillis = retention.toMillis();
  }

  /**
   * Whether keys can be stored.
   *
   * @return false where the table has to be created first
   * @throws RestFailure if keys are switched off
   * @throws EvitaException {@code DATABASE_ERROR} if another table has its name
   */
  boolean ready() {
    if (retentionMillis == 0) {
      throw RestFailure.unsupported(
          "Idempotency-Key is switched off here",
          "Set rest-idempotency-retention, or leave the header out");
    }
    if (table != null && columns.isEmpty()) {
      throw OwnTable.lacks(table, COLUMNS);
    }
    return table != null;
  }

  /** Creates the table, and has the request handled again. May block on the engine. */
  void create(Exchange exchange) {
    OwnTable.IDEMPOTENCY_KEYS.create(exchange, statements, problem -> created(exchange, problem));
  }

  private static void created(Exchange exchange, @Nullable EvitaException problem) {
    if (problem == null) {
      RestProblems.answer(
          exchange,
          new EvitaException(
              ErrorCode.CATALOG_CHANGED,
              "The table " + OwnTable.IDEMPOTENCY_KEYS.name() + " was just created"));
    } else if (!exchange.restart()) {
      RestProblems.answer(
          exchange,
          new RestFailure(
              400,
              ErrorCode.UNSUPPORTED_OPERATION,
              "0A000",
              "Idempotency-Key needs a table, which could not be created",
              problem.publicMessage(),
              "Have it created: "
                  + OwnTable.IDEMPOTENCY_KEYS.script().replaceAll("\\s+", " ").strip()));
    }
  }

  private Table table() {
    var found = table;
    if (found == null) {
      throw new IllegalStateException("ready() was not asked");
    }
    return found;
  }

  private Filter byKey() {
    return new Filter.Compare(columns.getFirst(), Comparison.EQUAL, new Parameter(0));
  }

  /** Reads what is stored by a key, its one argument; rows are read by {@link #read}. */
  Prepared lookup() {
    var outputs = columns.stream().<Output>map(Output.Column::new).toList();
    return statements.prepare(Select.of(table().name(), outputs).where(byKey()));
  }

  Stored read(Row row) {
    var headers = new LinkedHashMap<String, String>();
    String.valueOf(row.textAt(HEADERS))
        .lines()
        .forEach(line -> {
          var colon = line.indexOf(": ");
          headers.put(line.substring(0, colon), line.substring(colon + 2));
        });
    var body = String.valueOf(row.textAt(BODY)).getBytes(StandardCharsets.UTF_8);
    var answer =
        new Answer(
            (int) row.longAt(STATUS), String.valueOf(row.textAt(CONTENT_TYPE)), headers, body);
    return new Stored(String.valueOf(row.textAt(FINGERPRINT)), row.longAt(CREATED), answer);
  }

  /** Whether it was stored so long ago that its key is free again. */
  boolean isExpired(Stored stored) {
    return stored.createdMillis() < System.currentTimeMillis() - retentionMillis;
  }

  /** Forgets a key, its one argument. */
  Prepared forget() {
    return statements.prepare(new Delete(table().name(), byKey(), List.of()));
  }

  /** Stores an answer. */
  Prepared store() {
    return statements.prepare(
        new Insert(table().name(), columns, new Parameter(0), null, List.of()));
  }

  /** The arguments of {@link #store}. */
  Arguments stored(String key, String fingerprint, Answer answer) {
    var headers = new StringBuilder();
    answer
        .headers()
        .forEach((name, value) -> headers.append(name).append(": ").append(value).append('\n'));
    var row =
        new @Nullable Object[] {
          key,
          fingerprint,
          System.currentTimeMillis(),
          answer.status(),
          answer.contentType(),
          headers.toString(),
          new String(answer.body(), StandardCharsets.UTF_8)
        };
    return Arguments.of(new InsertRows(List.<@Nullable Object[]>of(row)));
  }

  /**
   * Now and then forgets all that is too old. After an answer, on a worker; what fails is logged,
   * as the answer is not to suffer from it.
   */
  void sweep() {
    var now = System.currentTimeMillis();
    var last = swept.get();
    if (now - last <= SWEEP_MILLIS || !swept.compareAndSet(last, now)) {
      return;
    }
    var sweeping = new Sweeping();
    try {
      var old = new Filter.Compare(columns.get(CREATED), Comparison.LESS, new Parameter(0));
      statements
          .prepare(new Delete(table().name(), old, List.of()))
          .run(Arguments.of(now - retentionMillis), null, sweeping);
    } catch (RuntimeException e) {
      sweeping.failed(EvitaException.from(e));
    }
  }

  private record Sweeping() implements RowSink {
    @Override
    public Demand row(Row row) {
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {}

    @Override
    public void failed(EvitaException problem) {
      LOG.warn("Old idempotency keys are not forgotten: {}", problem.publicMessage());
    }
  }
}
