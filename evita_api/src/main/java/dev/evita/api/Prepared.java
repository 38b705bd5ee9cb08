// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import org.jspecify.annotations.Nullable;

/** A prepared operation. Thread-safe; needs no closing. */
public interface Prepared {

  /** The operation that was prepared. */
  Operation operation();

  /**
   * The shape of the rows. For a {@link Script} it is {@link RowShape#NONE}: only {@link
   * Execution#shape()} returns it.
   */
  RowShape shape();

  /**
   * Whether an execution with these arguments certainly ends soon on the calling thread: by key, or
   * by an index and a small limit, in an engine in this process. Such an execution may use an I/O
   * thread.
   *
   * <p>An estimate from the catalog and from the engine's state, such as an open connection: cheap,
   * without a round trip.
   */
  boolean bounded(Arguments arguments);

  /**
   * Executes the operation, in a transaction or, without one, in one of its own.
   *
   * <p>All outcomes are passed to the sink; no exception is thrown. An engine that works on the
   * calling thread returns after the last call of the sink or after a {@link Demand#PAUSE}; another
   * returns at once.
   *
   * <p>An argument of an unsuitable type fails with {@code INVALID_VALUE}; a missing one, or a row
   * of {@link InsertRows} whose length differs from the columns, with {@code INVALID_OPERATION};
   * objects that no longer exist in the schema, with {@code CATALOG_CHANGED}.
   *
   * @param transaction null for autocommit
   */
  void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink);
}
