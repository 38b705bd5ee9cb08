// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springwebfluxr2dbc;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The transaction by POST. */
@RestController
class TransactionController {

  record Transfer(int aid, int tid, int bid, int delta) {}

  record Balance(int balance) {}

  private final DatabaseClient database;
  private final TransactionalOperator transaction;

  TransactionController(DatabaseClient database, TransactionalOperator transaction) {
    this.database = database;
    this.transaction = transaction;
  }

  @PostMapping("/transaction")
  Mono<Balance> transaction(@RequestBody Transfer transfer) {
    var account =
        statement("UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2")
            .bind("$1", transfer.delta())
            .bind("$2", transfer.aid())
            .then();
    var balance =
        statement("SELECT abalance FROM pgbench_accounts WHERE aid = $1")
            .bind("$1", transfer.aid())
            .mapValue(Integer.class)
            .one();
    var teller =
        statement("UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2")
            .bind("$1", transfer.delta())
            .bind("$2", transfer.tid())
            .then();
    var branch =
        statement("UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2")
            .bind("$1", transfer.delta())
            .bind("$2", transfer.bid())
            .then();
    var history =
        statement(
                "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler)"
                    + " VALUES ($1, $2, $3, $4, now(), repeat('x', 22))")
            .bind("$1", transfer.tid())
            .bind("$2", transfer.bid())
            .bind("$3", transfer.aid())
            .bind("$4", transfer.delta())
            .then();
    return account
        .then(balance)
        .flatMap(value -> teller.then(branch).then(history).thenReturn(new Balance(value)))
        .as(transaction::transactional);
  }

  private DatabaseClient.GenericExecuteSpec statement(String sql) {
    return database.sql(sql);
  }
}
