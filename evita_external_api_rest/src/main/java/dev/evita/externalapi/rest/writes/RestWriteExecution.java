// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.TransactionOptions;
import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.core.transaction.IdempotentWrite;
import dev.evita.externalapi.core.transaction.StoredResponse;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestProblems;
import dev.evita.externalapi.rest.response.BufferedResponse;
import dev.evita.externalapi.rest.response.TransactionStep;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that writes, in a transaction of its own. Its response is complete before the commit
 * and is sent after it; any earlier failure rolls the transaction back.
 *
 * <p>A serialization conflict is retried from the beginning, with a new step.
 */
public final class RestWriteExecution implements IdempotentWrite.Write, Runnable {

  private final Exchange exchange;
  private final Statements statements;
  private final Supplier<TransactionStep> members;
  private TransactionStep member;
  private final boolean keeps;
  private final IdempotentWrite.@Nullable Key key;
  private @Nullable BufferedResponse response;

  /**
   * @param members creates the request's step, of the same kind each time
   * @param keeps whether the transaction is committed; else it is rolled back after the response is
   *     produced
   * @param key under which the response is stored; null for none
   */
  public RestWriteExecution(
      Exchange exchange,
      Statements statements,
      Supplier<TransactionStep> members,
      boolean keeps,
      IdempotentWrite.@Nullable Key key) {
    this.exchange = exchange;
    this.statements = statements;
    this.members = members;
    this.member = members.get();
    this.keeps = keeps;
    this.key = key;
  }

  @Override
  public void run() {
    var held = Quota.held(exchange.work().limits(), 0);
    if (key == null) {
      new TransactionExecution(exchange.work(), statements, held, this).run();
    } else {
      key.run(exchange.work(), statements, held, this);
    }
  }

  @Override
  public TransactionOptions options() {
    return new TransactionOptions(member.isolation(), member.readOnly());
  }

  @Override
  public boolean sharesCommit() {
    return keeps && member.sharesCommit();
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    return member.next();
  }

  @Override
  public void finish() {
    response = member.response();
  }

  @Override
  public StoredResponse response() {
    var made = member.response();
    response = made;
    return new StoredResponse(
        made.status(),
        made.contentType(),
        made.headers(),
        new String(made.body(), StandardCharsets.UTF_8));
  }

  @Override
  public void replay(StoredResponse stored) {
    var headers = new LinkedHashMap<>(stored.headers());
    headers.put(IdempotencyKeys.REPLAYED, "true");
    response =
        new BufferedResponse(
            stored.status(),
            stored.contentType(),
            headers,
            stored.body().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public boolean keeps() {
    return keeps;
  }

  @Override
  public void done() {
    var complete = response;
    if (complete == null) {
      throw new IllegalStateException("no response was made");
    }
    complete.send(exchange);
  }

  @Override
  public void failed(Throwable problem) {
    // The rows of a condition were changed concurrently between the check and the commit.
    var overtaken = isLost(problem) && member.isolation() == Isolation.SERIALIZABLE;
    RestProblems.send(exchange, overtaken ? ConditionalWrite.overtaken() : problem, member.place());
  }

  @Override
  public boolean restart() {
    member = members.get();
    response = null;
    return true;
  }

  private static boolean isLost(Throwable problem) {
    return !(problem instanceof RestFailure)
        && EvitaException.from(problem).code() == ErrorCode.SERIALIZATION_FAILURE;
  }
}
