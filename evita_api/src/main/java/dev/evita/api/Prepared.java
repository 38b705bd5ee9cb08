// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import org.jspecify.annotations.Nullable;

/** A compiled operation. Thread-safe; needs no closing. */
public interface Prepared {

  /** What was compiled. */
  Operation operation();

  /**
   * What the rows will look like. For a {@link Script} it is {@link RowShape#NONE}: only {@link
   * Execution#shape()} knows.
   */
  RowShape shape();

  /**
   * Whether a run with these arguments surely ends soon on the calling thread: by key, or by an
   * index and a small limit, in an engine that works in this process. Such a run may take an I/O
   * thread.
   *
   * <p>An estimate from the catalog and from what the engine has at hand, such as an open
   * connection: cheap, without a round trip.
   */
  boolean bounded(Arguments arguments);

  /**
   * Runs it, in a transaction or, without one, in one of its own.
   *
   * <p>All outcomes go to the sink; nothing is thrown. An engine that answers on the calling thread
   * returns after the last call of the sink or after a {@link Demand#PAUSE}; another returns at
   * once.
   *
   * <p>An argument that its place cannot take fails with {@code INVALID_VALUE}; one that is
   * missing, or a row of {@link InsertRows} of another length than its columns, with {@code
   * INVALID_OPERATION}; what the schema no longer has, with {@code CATALOG_CHANGED}.
   *
   * @param transaction null for autocommit
   */
  void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink);
}
