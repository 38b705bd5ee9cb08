// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.Statements;
import dev.evita.externalapi.core.TransactionRun;
import org.jspecify.annotations.Nullable;

/**
 * A request that writes, in a transaction of its own. Its answer is complete before the commit and
 * leaves after it; whatever fails before undoes all of it.
 */
final class WriteRun implements TransactionRun.Work, Runnable {

  private final Exchange exchange;
  private final Statements statements;
  private final Member member;
  private final boolean keeps;
  private @Nullable Answer answer;

  /**
   * @param keeps whether what was done is committed; else it is only answered for
   */
  WriteRun(Exchange exchange, Statements statements, Member member, boolean keeps) {
    this.exchange = exchange;
    this.statements = statements;
    this.member = member;
    this.keeps = keeps;
  }

  @Override
  public void run() {
    var held = Quota.held(exchange.limits(), 0);
    new TransactionRun(exchange, statements, held, this).run();
  }

  @Override
  public TransactionOptions options() {
    return new TransactionOptions(member.isolation(), false);
  }

  @Override
  public TransactionRun.@Nullable Statement next() {
    return member.next();
  }

  @Override
  public void finish() {
    answer = member.answer();
  }

  @Override
  public boolean keeps() {
    return keeps;
  }

  @Override
  public void done() {
    var complete = answer;
    if (complete == null) {
      throw new IllegalStateException("no answer was made");
    }
    complete.send(exchange);
  }

  @Override
  public void failed(Throwable problem) {
    var first = isLost(problem) ? Guarded.overtaken() : problem;
    var recall = member.recall(first);
    if (recall == null) {
      RestProblems.answer(exchange, first, member.place());
    } else {
      new WriteRun(exchange, statements, recall, true).run();
    }
  }

  /** Whether the rows of a condition were changed by others between the look and the commit. */
  private boolean isLost(Throwable problem) {
    return member.isolation() == TransactionOptions.Isolation.SERIALIZABLE
        && EvitaException.from(problem).code() == ErrorCode.SERIALIZATION_FAILURE;
  }
}
