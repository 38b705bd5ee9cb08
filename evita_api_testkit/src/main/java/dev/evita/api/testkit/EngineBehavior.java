// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

/**
 * A behavior that {@link BaseEngineTest} expects of an engine and its database. All hold unless
 * {@link BaseEngineTest#has} denies them.
 *
 * <p>No test is skipped for a denied behavior. One that an operation or a transaction can ask for
 * has a {@link dev.evita.api.Capability} of the same name, which {@code Engine.capabilities} must
 * contain if and only if the behavior is not denied. If it is denied, each such operation must fail
 * with {@code UNSUPPORTED_OPERATION} when it is prepared, and each such transaction when it is
 * begun. For others, the documented alternative is tested, or the test kit does not create what
 * needs them.
 */
public enum EngineBehavior {
  /** Several schemas. Without: the catalog has exactly one. */
  SCHEMAS,
  /** Views. Without: the catalog has none. */
  VIEWS,
  /** Comments of tables and columns. Without: all are null. */
  COMMENTS,
  /** Names may differ only by case. Without: the fixture fails to create the second. */
  CASE_SENSITIVE_NAMES,
  /** Foreign keys are declared and enforced. Without: the catalog contains none. */
  FOREIGN_KEYS,
  /** Unique constraints besides the primary key. Without: the catalog contains none. */
  UNIQUE_CONSTRAINTS,
  /** Check constraints. Without: a violating value is stored. */
  CHECK_CONSTRAINTS,
  /** The maximum length of a text is enforced. Without: a longer text is stored completely. */
  LENGTH_LIMITS,
  /** The range of {@code INT16} is enforced. Without: a larger number is stored. */
  RANGE_LIMITS,
  /** Columns with a default. Without: omitting such a column is a {@code NOT_NULL_VIOLATION}. */
  DEFAULTS,
  /** Identity columns that a client may set. Without: such a column is published as a plain one. */
  IDENTITY_BY_DEFAULT,
  /** Identity columns that a client must not set. */
  IDENTITY_ALWAYS,
  /** Columns computed from others. */
  GENERATED_COLUMNS,
  /** Indexes besides keys. Without: the catalog contains none. */
  INDEXES,
  /** Nested outputs of single relationships. */
  NESTED_TO_ONE,
  /** Nested outputs of relationships to many rows. */
  NESTED_TO_MANY,
  /** Limit and offset per parent in nested outputs. */
  NESTED_LIMIT,
  /** Aggregates per parent in nested outputs. */
  NESTED_AGGREGATES,
  /** {@code Filter.Exists}. */
  FILTER_BY_RELATIONSHIP,
  /** {@code Order.path}. */
  ORDER_BY_RELATIONSHIP,
  /** {@code Filter.Aggregated}, and orders by aggregates of related rows. */
  RELATED_AGGREGATES,
  /** {@code Output.Related}. */
  RELATED_VALUES,
  /** {@code Select.after} and {@code Select.before}. */
  KEYSET,
  /** {@code Select.distinctOn}. */
  DISTINCT_ON,
  /** Aggregates. */
  AGGREGATES,
  /** {@code Select.groupBy}. */
  GROUP_BY,
  /** {@code Select.offset}. */
  OFFSET,
  /** {@code LIKE} and {@code ILIKE}. */
  LIKE,
  /** {@code Filter.CompareColumns}. */
  COLUMN_COMPARISONS,
  /** {@code MATCHES} and {@code IMATCHES}. */
  REGULAR_EXPRESSIONS,
  /** Array columns, and their comparisons. */
  ARRAYS,
  /** {@code CONTAINS} and {@code CONTAINED_IN} of JSON. */
  JSON_CONTAINMENT,
  /** {@code Output.Path}. */
  JSON_PATHS,
  /** {@code Filter.FullText}. */
  FULL_TEXT,
  /** {@code Output.Cast}. */
  CASTS,
  /** Columns of a fixed list of labels. */
  ENUMERATIONS,
  /** Decimals of 38 digits. Without: one that cannot be stored exactly is rejected. */
  EXACT_DECIMAL,
  /** Columns of dates and times. */
  NATIVE_DATES,
  /** Columns of times with offset. */
  TIME_ZONES,
  /** NaN and the infinities as double. Without: they are rejected. */
  NOT_A_NUMBER,
  /** Negative zero as double. Without: it is read as zero. */
  NEGATIVE_ZERO,
  /** {@code Insert}. */
  INSERT,
  /** {@code Update}. */
  UPDATE,
  /** {@code Update.Change.Increment}. */
  INCREMENT,
  /** {@code Delete}. */
  DELETE,
  /** {@code Insert.onConflict}. */
  UPSERT,
  /** {@code returning} of inserts, updates and deletes. */
  RETURNING,
  /**
   * {@code InsertRows.DEFAULT} in some rows and not in others. Without: the execution fails with
   * {@code UNSUPPORTED_OPERATION}.
   */
  DEFAULT_IN_ROWS,
  /** Transactions of several operations. */
  TRANSACTIONS,
  /** Read-only transactions are enforced. */
  READ_ONLY_TRANSACTIONS,
  /** Isolation {@code SERIALIZABLE}. */
  SERIALIZABLE,
  /** Isolation {@code REPEATABLE_READ}. */
  REPEATABLE_READ,
  /** Isolation {@code READ_COMMITTED}. */
  READ_COMMITTED,
  /**
   * A transaction may write while others have begun and write other rows. Without: a transaction
   * that cannot wait any longer fails with {@code SERIALIZATION_FAILURE}.
   */
  CONCURRENT_TRANSACTIONS,
  /**
   * Others read the previous state while a transaction has written. Without: a transaction that
   * cannot wait any longer fails with {@code SERIALIZATION_FAILURE}.
   */
  CONCURRENT_READS,
  /** Savepoints. Without: {@code Transaction.savepoint} is an {@code UNSUPPORTED_OPERATION}. */
  SAVEPOINTS,
  /** A statement of SQL in progress can be cancelled. */
  CANCEL,
  /** {@code Engine.watch}. Without: it is an {@code UNSUPPORTED_OPERATION}. */
  WATCH,
  /** {@code Script} operations, in SQL. */
  SCRIPTS,
  /** {@code ?} in scripts. */
  SCRIPT_PARAMETERS,
  /** Division by zero in scripts fails. Without: it is null. */
  ARITHMETIC_ERRORS,
  /** {@code NativeQuery}, in SQL. */
  NATIVE_QUERIES,
  /** Stored routines. Without: the catalog contains none. */
  ROUTINES,
  /** Results are delivered on the calling thread. */
  IN_PROCESS
}
