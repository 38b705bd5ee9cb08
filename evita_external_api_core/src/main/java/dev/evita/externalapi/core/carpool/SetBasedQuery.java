// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.InsertRows;
import dev.evita.api.NativeQuery;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A native query over any number of rows of input: each member is a row, numbered by the input
 * {@code id}, and receives the result rows with its number.
 *
 * <p>A member without a row is executed again alone: so it is treated as if it had never been in a
 * batch, also if the query is wrong and returns the rows of one member only.
 */
public final class SetBasedQuery implements BatchedStatement {

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  /** The input and the column that number the rows. */
  public static final String ID = "id";

  /** Executes a query over rows in a transaction, if it writes. */
  @FunctionalInterface
  public interface Transactions {

    /**
     * Executes the query, and commits it if {@code keeps} holds after its last row; else the
     * transaction is rolled back, and the sink receives {@code completed} as well. Rows are passed
     * after the commit.
     */
    void run(Prepared query, Arguments arguments, Committing sink);
  }

  /** Receives rows after the commit. */
  public interface Committing extends RowSink {

    /** Whether to commit. Called before the first row is passed. */
    boolean keeps(List<? extends Row> rows);
  }

  private final Prepared one;
  private final Prepared prepared;
  private final NativeQuery query;
  private final @Nullable Transactions transactions;
  private final int conflictInput;
  private final int idSlot;

  /**
   * @param one the query over one row of input, which databases execute faster than rows of one
   * @param prepared the query, over rows
   * @param transactions null for a query that only reads
   * @param conflictKey the input that no two members of a batch have in common; null for none
   * @throws EvitaException {@code INVALID_OPERATION} without an input or a column {@code id}
   */
  public SetBasedQuery(
      Prepared one,
      Prepared prepared,
      @Nullable Transactions transactions,
      @Nullable String conflictKey) {
    this.one = one;
    this.prepared = prepared;
    this.query = (NativeQuery) prepared.operation();
    this.transactions = transactions;
    var unused = input(ID);
    this.conflictInput = conflictKey == null ? -1 : input(conflictKey);
    this.idSlot = slot();
  }

  private int input(String name) {
    for (int i = 0; i < query.inputs().size(); i++) {
      if (query.inputs().get(i).name().equals(name)) {
        return i;
      }
    }
    throw Carpool.invalid("no input '" + name + "'");
  }

  private int slot() {
    var slots = prepared.shape().slots();
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i).name().equalsIgnoreCase(ID)) {
        return i;
      }
    }
    throw Carpool.invalid("no column '" + ID + "'");
  }

  /** The query for one row of input: its arguments are the values of the inputs. */
  public Prepared single() {
    return new Single();
  }

  private final class Single implements Prepared {
    @Override
    public NativeQuery operation() {
      return query;
    }

    @Override
    public RowShape shape() {
      return prepared.shape();
    }

    @Override
    public boolean bounded(Arguments arguments) {
      return transactions == null && one.bounded(arguments);
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      execute(one, arguments, new OneSink(sink));
    }
  }

  @Override
  public Object identity() {
    return query;
  }

  @Override
  public String name() {
    return query.text().lines().findFirst().orElse("native query");
  }

  /** Writes one after another: two batches could wait for each other's locks. */
  @Override
  public int lanes() {
    return transactions == null ? READING_LANES : 1;
  }

  @Override
  public boolean writes() {
    return transactions != null;
  }

  @Override
  public boolean accepts(Arguments arguments) {
    return true;
  }

  @Override
  public Object group(Arguments arguments) {
    return query;
  }

  @Override
  public @Nullable Object conflictKey(Arguments arguments) {
    return conflictInput < 0
        ? null
        : ConflictKeys.of(arguments.get(query.inputs().get(conflictInput).value()));
  }

  private Arguments rows(List<Arguments> members) {
    return rows(query.inputs(), members);
  }

  /** The values of members as rows, numbered by {@code id}. */
  public static Arguments rows(List<NativeQuery.Input> inputs, List<Arguments> members) {
    var rows = new ArrayList<@Nullable Object[]>(members.size());
    for (int i = 0; i < members.size(); i++) {
      var row = new @Nullable Object[inputs.size()];
      for (int k = 0; k < row.length; k++) {
        var input = inputs.get(k);
        row[k] = input.name().equals(ID) ? (Object) (long) i : members.get(i).get(input.value());
      }
      rows.add(row);
    }
    return Arguments.of(new InsertRows(rows));
  }

  private void execute(Prepared how, Arguments arguments, Committing sink) {
    if (transactions == null) {
      how.run(arguments, null, sink);
    } else {
      transactions.run(how, arguments, sink);
    }
  }

  @Override
  public void run(List<BatchMember> members, Batch batch) {
    if (members.size() == 1) {
      var only = members.getFirst();
      execute(one, only.arguments(), new OneSink(new OneMember(only, batch)));
      return;
    }
    execute(
        prepared,
        rows(members.stream().map(BatchMember::arguments).toList()),
        new MemberSink(members, batch));
  }

  /** The number of the row's member; -1 if it has none. */
  private int number(Row row, int members) {
    var value = row.objectAt(idSlot);
    var number =
        switch (value) {
          case Number id -> id.longValue();
          case String text when NUMBER.matcher(text).matches() -> Long.parseLong(text);
          case null, default -> -1;
        };
    return number >= 0 && number < members ? (int) number : -1;
  }

  /** Passes all rows to one sink, and commits if there is any. */
  private static final class OneSink implements Committing {
    private final RowSink sink;

    OneSink(RowSink sink) {
      this.sink = sink;
    }

    @Override
    public boolean keeps(List<? extends Row> rows) {
      return !rows.isEmpty();
    }

    @Override
    public void started(Execution execution) {
      sink.started(execution);
    }

    @Override
    public int maxHeldRows() {
      return sink.maxHeldRows();
    }

    @Override
    public Demand row(Row row) {
      return sink.row(row);
    }

    @Override
    public void completed(long affected) {
      sink.completed(affected);
    }

    @Override
    public void failed(EvitaException failure) {
      sink.failed(failure);
    }
  }

  /** Passes each row to its member. */
  private final class MemberSink implements Committing {
    private final List<BatchMember> members;
    private final Batch batch;
    private final boolean[] served;
    private boolean kept = true;

    MemberSink(List<BatchMember> members, Batch batch) {
      this.members = members;
      this.batch = batch;
      this.served = new boolean[members.size()];
    }

    /** One member without a row must not have an effect: the others are executed again. */
    @Override
    public boolean keeps(List<? extends Row> rows) {
      for (var row : rows) {
        var number = number(row, members.size());
        if (number >= 0) {
          served[number] = true;
        }
      }
      for (boolean each : served) {
        kept &= each;
      }
      return kept;
    }

    @Override
    public void started(Execution execution) {
      batch.started(execution);
    }

    @Override
    public int maxHeldRows() {
      return members.getFirst().maxHeldRows();
    }

    @Override
    public Demand row(Row row) {
      var number = kept ? number(row, members.size()) : -1;
      if (number >= 0) {
        members.get(number).row(row);
      }
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {
      batch.executed();
      var alone = new ArrayList<BatchMember>();
      var together = new ArrayList<BatchMember>();
      for (int i = 0; i < members.size(); i++) {
        var member = members.get(i);
        if (kept && member.rows() > 0) {
          member.complete(member.rows());
        } else if (!kept && served[i]) {
          together.add(member);
        } else {
          alone.add(member);
        }
      }
      batch.again(together);
      batch.againAlone(alone);
    }

    @Override
    public void failed(EvitaException failure) {
      batch.executed();
      batch.failed(failure);
    }
  }
}
