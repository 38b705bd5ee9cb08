// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Script;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Constraints that PostgreSQL checks at commit can be checked without one. */
@Timeout(60)
final class PostgresConstraintsIT {

  private EngineDriver db;

  @BeforeEach
  void open() {
    db = new EngineDriver(JdbcEngine.open(PostgresServer.start().createDatabase()));
    db.script(
        """
        create table parents (id int primary key);
        create table children (parent_id int references parents (id) deferrable initially deferred)
        """);
  }

  @AfterEach
  void close() {
    db.engine().close();
  }

  private Transaction insertOfAnOrphan() {
    var transaction = db.begin(TransactionOptions.DEFAULT);
    db.rows(Script.of("insert into children values (1)"), new Bindings(), transaction);
    return transaction;
  }

  private static void requireFailure(Transaction transaction, ErrorCode code) {
    assertThatThrownBy(() -> EngineDriver.await(transaction.checkConstraints()))
        .isInstanceOfSatisfying(
            EvitaException.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }

  @Test
  void checkConstraints_deferredViolation_fails() {
    var transaction = insertOfAnOrphan();
    requireFailure(transaction, ErrorCode.FOREIGN_KEY_VIOLATION);
    EngineDriver.await(transaction.rollback());
    assertThat(db.script("select 1 from children")).isEmpty();
  }

  @Test
  void checkConstraints_noViolation_changesNothing() {
    var transaction = insertOfAnOrphan();
    db.rows(Script.of("insert into parents values (1)"), new Bindings(), transaction);
    EngineDriver.await(transaction.checkConstraints());
    EngineDriver.await(transaction.rollback());
    assertThat(db.script("select 1 from children")).isEmpty();
  }

  @Test
  void checkConstraints_afterTheEnd_isRejected() {
    var transaction = insertOfAnOrphan();
    EngineDriver.await(transaction.rollback());
    requireFailure(transaction, ErrorCode.TRANSACTION_CLOSED);
  }
}
