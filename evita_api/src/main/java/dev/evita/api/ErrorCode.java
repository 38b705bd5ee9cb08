// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * Why something failed, in the same words for every protocol.
 *
 * <p>Names are stable: clients see them ({@code extensions.code} in GraphQL, {@code code} in
 * problem documents). The example in each comment provokes it.
 */
public enum ErrorCode implements EvitaException.Code {
  /** {@code products_by_pk(id: "x")}: a value that its type cannot hold. */
  INVALID_VALUE(Category.USER),
  /** A tree of operations that contradicts itself: a keyset of two values for one order column. */
  INVALID_OPERATION(Category.USER),
  /** A table that is not in the catalog. */
  UNKNOWN_TABLE(Category.USER),
  /** A column that is not in its table. */
  UNKNOWN_COLUMN(Category.USER),
  /** A routine that is not in the catalog. */
  UNKNOWN_ROUTINE(Category.USER),
  /** A regular expression on SQLite: the engine lacks it. */
  UNSUPPORTED_OPERATION(Category.USER),
  /** An answer of more rows than {@code max-rows}. */
  TOO_MANY_ROWS(Category.USER),
  /** An insert of a primary key that exists. */
  UNIQUE_VIOLATION(Category.USER),
  /** An insert of a row whose parent does not exist. */
  FOREIGN_KEY_VIOLATION(Category.USER),
  /** An insert that breaks a check constraint. */
  CHECK_VIOLATION(Category.USER),
  /** An insert without a value for a column that needs one. */
  NOT_NULL_VIOLATION(Category.USER),
  /** Twenty letters for a {@code varchar(10)}. */
  VALUE_TOO_LONG(Category.USER),
  /** 40 000 for a {@code smallint}; a sum that overflows. */
  VALUE_OUT_OF_RANGE(Category.USER),
  /** Division by zero and its like: right by form, wrong by data. */
  INVALID_DATA(Category.USER),
  /** {@code raise exception} in a function or a trigger, whose message says why. */
  RAISED(Category.USER),
  /** A script with a syntax error, or one that names what does not exist. */
  INVALID_SCRIPT(Category.USER),
  /** A write to a table on which the database's user has no rights. */
  PERMISSION_DENIED(Category.USER),
  /** An insert in a read-only transaction. */
  READ_ONLY(Category.USER),
  /** A run in a transaction that is committed or rolled back. */
  TRANSACTION_CLOSED(Category.USER),
  /** {@code --port 99999}. */
  INVALID_CONFIGURATION(Category.USER),

  /** {@code --db jdbc:postgresql://localhost:1/x}: nobody listens, or the password is wrong. */
  DATABASE_UNREACHABLE(Category.EXTERNAL),
  /** A failure of the database that no retry cures, such as a row policy that refers to itself. */
  DATABASE_ERROR(Category.EXTERNAL),
  /**
   * A database file whose disk is full: nothing more is written until the storage is repaired and
   * the engine opened again.
   */
  STORAGE_FAILED(Category.EXTERNAL),
  /**
   * A connection that is lost between {@code COMMIT} and its answer: the write was kept, or it was
   * not. To send it again with the same {@code Idempotency-Key} tells which, and writes once.
   */
  COMMIT_UNKNOWN(Category.EXTERNAL),
  /** A deadlock, or a serializable transaction that lost: try again. */
  SERIALIZATION_FAILURE(Category.EXTERNAL),
  /** SQLite: the text {@code abc} stored in a column declared {@code integer}. */
  STORED_VALUE_INVALID(Category.EXTERNAL),
  /** The client closed the connection before its answer was complete. */
  CLIENT_GONE(Category.EXTERNAL),

  /** A statement that outlives {@code request-timeout}. */
  DEADLINE_EXCEEDED(Category.RESOURCES),
  /** {@link Execution#cancel} was called. */
  CANCELLED(Category.RESOURCES),
  /** More requests wait than {@code worker-queue}. */
  OVERLOADED(Category.RESOURCES),
  /** No pooled database connection became free in time. */
  POOL_EXHAUSTED(Category.RESOURCES),
  /** An answer that its client does not read while others wait for the database. */
  CLIENT_TOO_SLOW(Category.RESOURCES),
  /** A request that arrives while the server drains. */
  SHUTTING_DOWN(Category.RESOURCES),
  /** An operation prepared before a column was dropped and run after: prepare it again. */
  CATALOG_CHANGED(Category.RESOURCES),

  /** A fault of Evita's own. */
  INTERNAL(Category.INTERNAL);

  /** Whose turn it is to do something about it. */
  public enum Category {
    /** The caller: the same request fails again. */
    USER,
    /** Whoever runs the database or the network. */
    EXTERNAL,
    /** Nobody, perhaps: later it may work. */
    RESOURCES,
    /** We. */
    INTERNAL
  }

  private final Category category;

  ErrorCode(Category category) {
    this.category = category;
  }

  @Override
  public Category category() {
    return category;
  }
}
