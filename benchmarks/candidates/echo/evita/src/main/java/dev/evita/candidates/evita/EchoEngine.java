// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.evita;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Demand;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Operation;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Routine;
import dev.evita.api.Row;
import dev.evita.api.RowCursor;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Schema;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The smallest engine there is: no tables and one routine, {@code echo(message)}, which answers its
 * argument. What remains of a request to it is the cost of the HTTP layer alone.
 */
public final class EchoEngine implements Engine {

  private static final Column MESSAGE = Column.of("message", DataType.Scalar.TEXT, false);
  private static final RowShape SHAPE =
      new RowShape(List.of(new RowShape.ValueSlot("message", DataType.Scalar.TEXT)));

  private final Catalog catalog =
      new Catalog(
          1,
          "public",
          Catalog.Folding.NONE,
          List.of(
              new Schema(
                  "public",
                  List.of(),
                  List.of(
                      new Routine(
                          "public",
                          "echo",
                          List.of(MESSAGE),
                          List.of(MESSAGE),
                          false,
                          true,
                          "Answers its argument")),
                  null)));

  @Override
  public String name() {
    return "Echo";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.IN_PROCESS, Capability.ROUTINES, Capability.TRANSACTIONS);
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Catalog refresh() {
    return catalog;
  }

  @Override
  public Prepared prepare(Operation operation) {
    if (operation instanceof Call call && call.routine().equals("echo")) {
      var routine = catalog.requireRoutine("public", "echo", call.arguments().keySet());
      var message = routine.parameters().getFirst().name();
      return new Echo(call, Objects.requireNonNull(call.arguments().get(message)));
    }
    throw new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION, "This engine has nothing but the routine echo(message)");
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    return CompletableFuture.failedStage(
        new EvitaException(ErrorCode.UNSUPPORTED_OPERATION, "This engine has no transactions"));
  }

  @Override
  public void close() {}

  private record Echo(Call operation, Parameter message) implements Prepared {

    @Override
    public RowShape shape() {
      return SHAPE;
    }

    @Override
    public boolean bounded(Arguments arguments) {
      return true;
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      var run = new EchoRun(String.valueOf(arguments.get(message)));
      sink.started(run);
      // One row: whether the sink would take a second makes no difference.
      Demand unused = sink.row(run);
      sink.completed(1);
    }
  }

  /** A run, and its only row. */
  private record EchoRun(String message) implements Execution, Row {

    @Override
    public RowShape shape() {
      return SHAPE;
    }

    @Override
    public int statements() {
      return 1;
    }

    @Override
    public void resume() {}

    @Override
    public void cancel(ErrorCode reason) {}

    @Override
    public boolean isNull(int slot) {
      return false;
    }

    @Override
    public String textAt(int slot) {
      return message;
    }

    @Override
    public Object objectAt(int slot) {
      return message;
    }

    @Override
    public byte[] binaryAt(int slot) {
      return message.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean booleanAt(int slot) {
      throw notText();
    }

    @Override
    public long longAt(int slot) {
      throw notText();
    }

    @Override
    public float floatAt(int slot) {
      throw notText();
    }

    @Override
    public double doubleAt(int slot) {
      throw notText();
    }

    @Override
    public RowCursor nested(int slot) {
      throw notText();
    }

    private static EvitaException notText() {
      return new EvitaException(ErrorCode.STORED_VALUE_INVALID, "The message is a text");
    }
  }
}
