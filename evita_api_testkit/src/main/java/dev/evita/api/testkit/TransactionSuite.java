// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.await;
import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.Arguments;
import dev.evita.api.Delete;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.Script;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.api.TransactionOptions.Isolation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Transactions, and the publication of their commits. */
interface TransactionSuite extends EngineSuite {

  private Insert insert(Bindings bind, int id) {
    var rows = bind.rows(List.of(row(id, "c" + id, 1)));
    var names = List.of("id", "code", "quantity");
    return new Insert(db().table("items"), names, rows, null, List.of());
  }

  private void put(int id, @Nullable Transaction transaction) {
    var bind = new Bindings();
    assertThat(db().affected(insert(bind, id), bind, transaction)).isEqualTo(1);
  }

  private List<List<@Nullable Object>> ids(@Nullable Transaction transaction) {
    return db().rows(select("items", "id"), new Bindings(), transaction);
  }

  private static void requireCode(CompletionStage<?> stage, ErrorCode code) {
    assertThatThrownBy(() -> await(stage))
        .isInstanceOfSatisfying(
            EvitaException.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }

  @Test
  default void begin_returnsItsOptions() {
    var transaction = db().begin(TransactionOptions.DEFAULT);
    assertThat(transaction.options()).isEqualTo(TransactionOptions.DEFAULT);
    await(transaction.rollback());
  }

  @Test
  default void commit_makesChangesVisible() {
    var transaction = db().begin(TransactionOptions.DEFAULT);
    put(1, transaction);
    put(2, transaction);
    assertThat(ids(transaction)).containsExactlyInAnyOrder(row(1), row(2));
    await(transaction.commit());
    assertThat(ids(null)).containsExactlyInAnyOrder(row(1), row(2));
  }

  @Test
  default void rollback_undoesAllChanges() {
    put(1, null);
    var transaction = db().begin(TransactionOptions.DEFAULT);
    put(2, transaction);
    db().affected(new Delete(db().table("items"), null, List.of()), new Bindings(), transaction);
    await(transaction.rollback());
    assertThat(ids(null)).containsExactly(row(1));
  }

  @Test
  default void uncommittedChanges_areNotVisibleToOthers() {
    var transaction = db().begin(TransactionOptions.DEFAULT);
    put(1, transaction);
    if (supports(EngineBehavior.CONCURRENT_READS)) {
      assertThat(ids(null)).isEmpty();
    } else {
      assertThat(db().failure(select("items", "id"), new Bindings()).code())
          .isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
    }
    await(transaction.commit());
    assertThat(ids(null)).hasSize(1);
  }

  @Test
  default void readCommitted_seesCommitsOfOthers() {
    var options = new TransactionOptions(Isolation.READ_COMMITTED, false);
    requireCommittedSeen(options);
  }

  private void requireCommittedSeen(TransactionOptions options) {
    var transaction = db().begin(options);
    assertThat(ids(transaction)).isEmpty();
    if (supports(EngineBehavior.CONCURRENT_TRANSACTIONS)) {
      put(1, null);
      assertThat(ids(transaction)).hasSize(1);
    }
    await(transaction.rollback());
  }

  @Test
  default void repeatableRead_seesOneSnapshot() {
    var options = new TransactionOptions(Isolation.REPEATABLE_READ, false);
    requireOneState(options);
  }

  @Test
  default void serializable_seesOneSnapshot() {
    var options = new TransactionOptions(Isolation.SERIALIZABLE, false);
    requireOneState(options);
  }

  private void requireOneState(TransactionOptions options) {
    var transaction = db().begin(options);
    assertThat(ids(transaction)).isEmpty();
    if (supports(EngineBehavior.CONCURRENT_TRANSACTIONS)) {
      put(1, null);
    }
    assertThat(ids(transaction)).isEmpty();
    await(transaction.rollback());
  }

  @Test
  default void isolation_appliesOnlyToThisTransaction() {
    var serializable = new TransactionOptions(Isolation.SERIALIZABLE, false);
    await(db().begin(serializable).commit());
    requireCommittedSeen(new TransactionOptions(Isolation.READ_COMMITTED, false));
  }

  @Test
  default void readOnly_rejectsWrites() {
    var options = new TransactionOptions(Isolation.DEFAULT, true);
    var transaction = db().begin(options);
    assertThat(ids(transaction)).isEmpty();
    var bind = new Bindings();
    assertThat(db().failure(insert(bind, 1), bind, transaction).code())
        .isEqualTo(ErrorCode.READ_ONLY);
    await(transaction.rollback());
    assertThat(ids(null)).isEmpty();
    put(1, null);
  }

  @Test
  default void readOnly_rejectsWritesOfScripts() {
    var options = new TransactionOptions(Isolation.DEFAULT, true);
    var transaction = db().begin(options);
    var script = Script.of("delete from \"brands\" where \"id\" = 3");
    assertThat(db().failure(script, new Bindings(), transaction).code())
        .isEqualTo(ErrorCode.READ_ONLY);
    await(transaction.rollback());
    assertThat(db().column(select("brands", "id"))).hasSize(3);
  }

  @Test
  default void afterItsEnd_onlyRollbackIsAccepted() {
    for (var committed : List.of(true, false)) {
      var transaction = db().begin(TransactionOptions.DEFAULT);
      await(committed ? transaction.commit() : transaction.rollback());
      assertThat(db().failure(select("brands", "id"), new Bindings(), transaction).code())
          .isEqualTo(ErrorCode.TRANSACTION_CLOSED);
      requireCode(transaction.commit(), ErrorCode.TRANSACTION_CLOSED);
      requireCode(transaction.savepoint(), ErrorCode.TRANSACTION_CLOSED);
      await(transaction.rollback());
    }
  }

  @Test
  default void failedStatement_permitsRollback() {
    put(1, null);
    var transaction = db().begin(TransactionOptions.DEFAULT);
    put(2, transaction);
    var bind = new Bindings();
    assertThat(db().failure(insert(bind, 1), bind, transaction).code())
        .isEqualTo(ErrorCode.UNIQUE_VIOLATION);
    await(transaction.rollback());
    assertThat(ids(null)).containsExactly(row(1));
  }

  @Test
  default void savepoint_rollback_undoesLaterChanges() {
    var transaction = db().begin(TransactionOptions.DEFAULT);
    if (!supports(EngineBehavior.SAVEPOINTS)) {
      requireCode(transaction.savepoint(), ErrorCode.UNSUPPORTED_OPERATION);
      await(transaction.rollback());
      return;
    }
    put(1, transaction);
    var savepoint = await(transaction.savepoint());
    put(2, transaction);
    await(savepoint.rollback());
    put(3, transaction);
    await(await(transaction.savepoint()).release());
    await(transaction.commit());
    assertThat(ids(null)).containsExactlyInAnyOrder(row(1), row(3));
  }

  @Test
  default void savepoint_rollback_recoversFromAFailedStatement() {
    put(1, null);
    var transaction = db().begin(TransactionOptions.DEFAULT);
    put(2, transaction);
    if (!supports(EngineBehavior.SAVEPOINTS)) {
      requireCode(transaction.savepoint(), ErrorCode.UNSUPPORTED_OPERATION);
      await(transaction.rollback());
      return;
    }
    var savepoint = await(transaction.savepoint());
    var bind = new Bindings();
    db().failure(insert(bind, 1), bind, transaction);
    await(savepoint.rollback());
    put(3, transaction);
    await(transaction.commit());
    assertThat(ids(null)).containsExactlyInAnyOrder(row(1), row(2), row(3));
  }

  @Test
  default void successiveExecutions_onDifferentThreads_areSupported() throws InterruptedException {
    var transaction = db().begin(TransactionOptions.DEFAULT);
    for (int id = 1; id <= 3; id++) {
      int next = id;
      var thread = new Thread(() -> put(next, transaction));
      thread.start();
      thread.join();
    }
    await(transaction.commit());
    assertThat(ids(null)).hasSize(3);
  }

  @Test
  default void cancelInATransaction_doesNotAffectLaterExecutions() {
    for (int i = 0; i < 20; i++) {
      var transaction = db().begin(TransactionOptions.DEFAULT);
      put(100 + i, transaction);
      var cancelling = new CancellingSink(false);
      db().prepare(select("items", "id")).run(Arguments.NONE, transaction, cancelling);
      cancelling.await();
      await(transaction.rollback());
      assertThat(db().column(select("items", "id"))).isEmpty();
    }
  }

  @Test
  default void nestedSelect_seesItsOwnTransaction() {
    var transaction = db().begin(TransactionOptions.DEFAULT);
    put(1, transaction);
    var bind = new Bindings();
    var notes =
        new Insert(
            db().table("item_notes"),
            List.of("item_id", "line"),
            bind.rows(List.of(row(1, 1))),
            null,
            List.of());
    db().affected(notes, bind, transaction);
    var related =
        EngineSuite.nested(shop().relationship("items", "item_notes"), EngineSuite.column("line"));
    var select = Select.of(db().table("items"), List.of(related));
    assertThat(db().rows(select, new Bindings(), transaction))
        .containsExactly(row(List.of(row(1))));
    await(transaction.rollback());
  }

  @Test
  default void watch_publishesCommitsInOrder() {
    if (!supports(EngineBehavior.WATCH)) {
      assertThatThrownBy(() -> db().engine().watch((sequence, tables) -> {}))
          .isInstanceOfSatisfying(
              EvitaException.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UNSUPPORTED_OPERATION));
      return;
    }
    var sequences = Collections.synchronizedList(new ArrayList<Long>());
    var changes = Collections.synchronizedList(new ArrayList<Set<TableName>>());
    try (var registration =
        db().engine()
            .watch((sequence, tables) -> {
              sequences.add(sequence);
              changes.add(tables);
            })) {
      Objects.requireNonNull(registration);
      put(1, null);
      var rolledBack = db().begin(TransactionOptions.DEFAULT);
      put(2, rolledBack);
      await(rolledBack.rollback());
      var committed = db().begin(TransactionOptions.DEFAULT);
      put(3, committed);
      await(committed.commit());
    }
    put(4, null);
    var items = Set.of(db().table("items"));
    assertThat(changes).containsExactly(items, items);
    assertThat(sequences.get(1)).isEqualTo(sequences.get(0) + 1);
  }
}
