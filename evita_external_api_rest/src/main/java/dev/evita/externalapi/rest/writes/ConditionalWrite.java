// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.reads.ReadStep;
import dev.evita.externalapi.rest.request.RestRequest;
import dev.evita.externalapi.rest.response.BufferedResponse;
import dev.evita.externalapi.rest.response.TransactionStep;
import org.jspecify.annotations.Nullable;

/**
 * A write on a condition (RFC 9110, sections 13.1.1 and 13.1.2): reads, in the same transaction,
 * what a {@code GET} of the same URL would show, and proceeds only if the client has that version.
 *
 * <p>The transaction is serializable, so that a concurrent change after this read makes one of the
 * two transactions fail.
 */
final class ConditionalWrite implements TransactionStep {

  private final ReadStep current;
  private final TransactionStep write;
  private final @Nullable String ifMatch;
  private final @Nullable String ifNoneMatch;
  private final boolean puts;
  private boolean passed;

  /**
   * @param request the request with the conditions
   */
  ConditionalWrite(ReadStep current, TransactionStep write, RestRequest request) {
    this.current = current;
    this.write = write;
    this.ifMatch = request.header("If-Match");
    this.ifNoneMatch = request.header("If-None-Match");
    this.puts = request.method().equals("PUT");
  }

  @Override
  public Isolation isolation() {
    return Isolation.SERIALIZABLE;
  }

  @Override
  public double cost(int estimatedRows) {
    return current.cost(estimatedRows) + write.cost(estimatedRows);
  }

  @Override
  public boolean sharesCommit() {
    return true;
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    if (passed) {
      return write.next();
    }
    var look = current.next();
    if (look != null) {
      return look;
    }
    require();
    passed = true;
    return write.next();
  }

  private void require() {
    if (ifMatch != null && (current.rows() == 0 || !current.tag().isKnownBy(ifMatch))) {
      throw failed("The condition of If-Match does not hold", state());
    }
    if (ifNoneMatch != null && current.rows() > 0 && current.tag().isAmong(ifNoneMatch)) {
      throw failed("The condition of If-None-Match does not hold", state());
    }
  }

  private String state() {
    return current.rows() == 0 ? "No row matches" : "The tag is " + current.tag().text();
  }

  /** Reports that the rows were changed concurrently after the check. */
  static RestFailure overtaken() {
    return failed("Others change the same rows at this moment", null);
  }

  private static RestFailure failed(String message, @Nullable String details) {
    return new RestFailure(
        412,
        HttpErrorCode.PRECONDITION_FAILED,
        "PRECONDITION_FAILED",
        message,
        details,
        "Read the rows again, by the same URL");
  }

  @Override
  public BufferedResponse response() {
    var response = write.response();
    return puts && current.rows() == 0 ? response.created() : response;
  }
}
