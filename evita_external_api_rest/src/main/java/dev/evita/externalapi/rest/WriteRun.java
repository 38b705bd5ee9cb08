// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.TransactionOptions;
import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.Statements;
import dev.evita.externalapi.core.TransactionRun;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that writes, in a transaction of its own. Its answer is complete before the commit and
 * leaves after it; whatever fails before undoes all of it.
 *
 * <p>What only lost to another transaction (a deadlock, a serialization failure) is done again from
 * the beginning, as nothing of it was kept, until {@link #MOST_ATTEMPTS} or the deadline.
 */
final class WriteRun implements TransactionRun.Work, Runnable {

  private static final int MOST_ATTEMPTS = 12;

  private final Exchange exchange;
  private final Statements statements;
  private final Supplier<Member> members;
  private final Member member;
  private final boolean keeps;
  private final int attempt;
  private @Nullable Answer answer;

  /**
   * @param members makes the request a member, of the same kind each time
   * @param keeps whether what was done is committed; else it is only answered for
   */
  WriteRun(Exchange exchange, Statements statements, Supplier<Member> members, boolean keeps) {
    this(exchange, statements, members, keeps, 1);
  }

  private WriteRun(
      Exchange exchange,
      Statements statements,
      Supplier<Member> members,
      boolean keeps,
      int attempt) {
    this.exchange = exchange;
    this.statements = statements;
    this.members = members;
    this.member = members.get();
    this.keeps = keeps;
    this.attempt = attempt;
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
    var lost = isLost(problem);
    if (lost && attempt < MOST_ATTEMPTS) {
      again();
      return;
    }
    // The rows of a condition were changed by others between the look and the commit.
    var overtaken = lost && member.isolation() == Isolation.SERIALIZABLE;
    var first = overtaken ? Guarded.overtaken() : problem;
    var recall = member.recall(first);
    if (recall == null) {
      RestProblems.answer(exchange, first, member.place());
    } else {
      new WriteRun(exchange, statements, () -> recall, true, MOST_ATTEMPTS).run();
    }
  }

  private void again() {
    WriteRun next;
    try {
      next = new WriteRun(exchange, statements, members, keeps, attempt + 1);
    } catch (RuntimeException e) {
      RestProblems.answer(exchange, e);
      return;
    }
    next.run();
  }

  private static boolean isLost(Throwable problem) {
    return !(problem instanceof RestFailure)
        && EvitaException.from(problem).code() == ErrorCode.SERIALIZATION_FAILURE;
  }
}
