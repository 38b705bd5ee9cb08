// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.Arguments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes one operation for several members at once. Thread-safe. */
public interface BatchedStatement {

  /**
   * The lanes of a statement that only reads: at least two, so that one batch executes while the
   * responses of another are written.
   */
  int READING_LANES = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);

  /** What is equal for statements that can be executed as one; its members share a queue. */
  Object identity();

  /** The operation in logs. */
  String name();

  /** The maximum number of batches in execution at a time. */
  int lanes();

  /** Whether a member that leaves its batch may have written. */
  default boolean writes() {
    return false;
  }

  /** Whether an execution with these arguments can be a member of a batch. */
  boolean accepts(Arguments arguments);

  /** What must be equal for all members of a batch. */
  Object group(Arguments arguments);

  /**
   * What must not be equal for two members of a batch, nor of two batches in execution, so that the
   * later one sees the effects of the earlier one; null if nothing conflicts.
   */
  @Nullable Object conflictKey(Arguments arguments);

  /**
   * Executes a batch. May block; all outcomes are passed to the members.
   *
   * @param members at least one; those that are cancelled meanwhile ignore their outcome
   * @param executed to be called once, when the database has finished and before the members
   *     receive their outcome, so that the next batch is executed meanwhile
   */
  void run(List<BatchMember> members, Batch executed);
}
