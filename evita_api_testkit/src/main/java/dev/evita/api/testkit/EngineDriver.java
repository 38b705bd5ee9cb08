// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.Engine;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Relationship;
import dev.evita.api.Script;
import dev.evita.api.TableName;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Executes operations on an engine and waits for their outcome, as only tests may. Thread-safe.
 *
 * <p>Values are normalized for all engines: integers as {@code Long}, decimals without trailing
 * zeros; {@link #row} and {@link #decimal} create the values to compare with.
 */
public final class EngineDriver {

  /** The timeout of an execution in a test. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Engine engine;
  private final BehaviorCheck check;
  private final Queue<Transaction> begun = new ConcurrentLinkedQueue<>();

  /** Drives an engine; the caller owns and closes it. */
  public EngineDriver(Engine engine) {
    this(engine, new BehaviorCheck(behavior -> true));
  }

  /** Drives an engine, some of whose behaviors may be denied. */
  EngineDriver(Engine engine, BehaviorCheck check) {
    this.engine = engine;
    this.check = check;
  }

  /** The engine itself. */
  public Engine engine() {
    return engine;
  }

  /** The current catalog. */
  public Catalog catalog() {
    return engine.catalog();
  }

  /** The name of a table in the default schema. */
  public TableName table(String name) {
    return new TableName(catalog().defaultSchema(), name);
  }

  /** Returns the relationship of this name in the catalog. */
  public Relationship relationship(TableName from, String name) {
    return catalog().relationships(from).stream()
        .filter(relationship -> relationship.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new AssertionError(from + " has no relationship " + name + " but " + names(from)));
  }

  private List<String> names(TableName from) {
    return catalog().relationships(from).stream().map(Relationship::name).toList();
  }

  /** Prepares an operation; if it requires a denied behavior, the engine must refuse it. */
  public Prepared prepare(Operation operation) {
    var denied = denied(operation);
    if (!denied.isEmpty()) {
      throw check.refused(denied, operation.toString(), () -> engine.prepare(operation));
    }
    return engine.prepare(operation);
  }

  /** The denied behaviors that an operation requires. */
  Set<EngineBehavior> denied(Operation operation) {
    return check.denied(operation.requiredCapabilities(catalog()));
  }

  /** Executes to the end, successful or not. */
  public CollectingSink run(
      Operation operation, Arguments arguments, @Nullable Transaction transaction) {
    var sink = new CollectingSink();
    prepare(operation).run(arguments, transaction, sink);
    return sink.await(PATIENCE);
  }

  private CollectingSink succeed(
      Operation operation, Bindings bindings, @Nullable Transaction transaction) {
    var sink = run(operation, bindings.arguments(), transaction);
    var failure = sink.failure();
    if (failure != null) {
      throw new AssertionError(operation + " failed with " + failure.code(), failure);
    }
    return sink;
  }

  /** Returns the rows of an execution that must succeed. */
  public List<List<@Nullable Object>> rows(Operation operation, Bindings bindings) {
    return rows(operation, bindings, null);
  }

  /** Returns the rows of an execution that must succeed, in a transaction. */
  public List<List<@Nullable Object>> rows(
      Operation operation, Bindings bindings, @Nullable Transaction transaction) {
    return succeed(operation, bindings, transaction).rows().stream()
        .map(EngineDriver::plainRow)
        .toList();
  }

  /** Returns the rows of an operation without parameters. */
  public List<List<@Nullable Object>> rows(Operation operation) {
    return rows(operation, new Bindings());
  }

  /** The first slot of each row. */
  public List<@Nullable Object> column(Operation operation, Bindings bindings) {
    return first(rows(operation, bindings));
  }

  /** The first slot of each row of an operation without parameters. */
  public List<@Nullable Object> column(Operation operation) {
    return first(rows(operation));
  }

  private static List<@Nullable Object> first(List<List<@Nullable Object>> rows) {
    var values = new ArrayList<@Nullable Object>();
    rows.forEach(row -> values.add(row.getFirst()));
    return values;
  }

  /** Returns the number of rows changed by an execution that must succeed. */
  public long affected(Operation operation, Bindings bindings) {
    return affected(operation, bindings, null);
  }

  /** Returns the number of rows changed by an execution that must succeed, in a transaction. */
  public long affected(Operation operation, Bindings bindings, @Nullable Transaction transaction) {
    return succeed(operation, bindings, transaction).affected();
  }

  /** Returns the failure of an operation that must fail, when it is prepared or executed. */
  public EvitaException failure(Operation operation, Bindings bindings) {
    return failure(operation, bindings, null);
  }

  /** Returns the failure of an operation that must fail, in a transaction. */
  public EvitaException failure(
      Operation operation, Bindings bindings, @Nullable Transaction transaction) {
    CollectingSink sink;
    try {
      sink = run(operation, bindings.arguments(), transaction);
    } catch (EvitaException e) {
      return e;
    }
    var failure = sink.failure();
    if (failure == null) {
      throw new AssertionError(
          operation + " should have failed, but gave " + sink.rows().size() + " rows");
    }
    return failure;
  }

  /** Executes statements that must succeed; returns the rows of the last one. */
  public List<List<@Nullable Object>> script(String text, @Nullable Object... values) {
    var bindings = new Bindings();
    return rows(new Script(text, bindings.values(values)), bindings);
  }

  /** Returns the failure of statements that must fail. */
  public EvitaException scriptFailure(String text, @Nullable Object... values) {
    var bindings = new Bindings();
    List<Parameter> parameters = bindings.values(values);
    return failure(new Script(text, parameters), bindings);
  }

  /** Begins a transaction. */
  public Transaction begin(TransactionOptions options) {
    var denied = check.denied(options.requiredCapabilities());
    if (!denied.isEmpty()) {
      throw check.refused(denied, options.toString(), () -> await(engine.begin(options)));
    }
    var transaction = await(engine.begin(options));
    begun.add(transaction);
    return transaction;
  }

  /** Rolls back what a test that ended early has left open. */
  void rollBackAll() {
    for (var transaction = begun.poll(); transaction != null; transaction = begun.poll()) {
      await(transaction.rollback());
    }
  }

  /** Waits for a result; a failure is thrown as the {@code EvitaException} that it must be. */
  public static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof EvitaException evita) {
        throw evita;
      }
      throw new AssertionError("not an EvitaException: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within " + PATIENCE, e);
    }
  }

  /** Returns a row to compare with: integers become {@code Long}. */
  public static List<@Nullable Object> row(@Nullable Object... values) {
    return plainRow(Arrays.asList(values));
  }

  /** Returns a decimal to compare with. */
  public static BigDecimal decimal(String text) {
    return new BigDecimal(text).stripTrailingZeros();
  }

  /** Returns the integers from 1 to the last, in normalized form. */
  public static List<Long> numbers(int last) {
    return IntStream.rangeClosed(1, last).mapToObj(Long::valueOf).toList();
  }

  private static List<@Nullable Object> plainRow(List<? extends @Nullable Object> row) {
    var values = new ArrayList<@Nullable Object>();
    row.forEach(value -> values.add(plain(value)));
    return Collections.unmodifiableList(values);
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.stripTrailingZeros();
    }
    return value instanceof List<?> list ? plainRow(list) : value;
  }
}
