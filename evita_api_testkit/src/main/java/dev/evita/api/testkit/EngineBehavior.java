// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

/**
 * What {@link BaseEngineTest} expects of an engine and its database. All hold unless {@link
 * BaseEngineTest#has} says otherwise.
 *
 * <p>Nothing is skipped for a behaviour that is denied: the operation must then fail with {@code
 * UNSUPPORTED_OPERATION}, or, where the database itself lacks something that stands in DDL or data,
 * the test states what is seen instead.
 */
public enum EngineBehavior {
  /** Several schemas. Without: the catalog has exactly one. */
  SCHEMAS,
  /** Views. Without: creating one is an {@code INVALID_SCRIPT}. */
  VIEWS,
  /** Comments of tables and columns. Without: all are null. */
  COMMENTS,
  /** Names may differ by case alone. Without: the second is an {@code INVALID_SCRIPT}. */
  CASE_SENSITIVE_NAMES,
  /** Foreign keys are declared and enforced. Without: the catalog shows none. */
  FOREIGN_KEYS,
  /** Unique constraints beside the primary key. Without: the catalog shows none. */
  UNIQUE_CONSTRAINTS,
  /** Check constraints. Without: a value that would break one is kept. */
  CHECK_CONSTRAINTS,
  /** {@code varchar(n)} is enforced. Without: a longer text is kept whole. */
  LENGTH_LIMITS,
  /** {@code smallint} is enforced. Without: a larger number is kept whole. */
  RANGE_LIMITS,
  /** Columns with a default. Without: leaving out such a column is a {@code NOT_NULL_VIOLATION}. */
  DEFAULTS,
  /** Identity columns that a writer may set. Without: such a column is shown as a plain one. */
  IDENTITY_BY_DEFAULT,
  /** Identity columns that a writer must not set. */
  IDENTITY_ALWAYS,
  /** Columns computed from others. */
  GENERATED_COLUMNS,
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
  /** {@code MATCHES} and {@code IMATCHES}; as the capability of that name. */
  REGULAR_EXPRESSIONS,
  /** Array columns, and what one has of another; as the capability of that name. */
  ARRAYS,
  /** {@code CONTAINS} and {@code CONTAINED_IN} of JSON; as the capability of that name. */
  JSON_CONTAINMENT,
  /** {@code Output.Path}; as the capability of that name. */
  JSON_PATHS,
  /** {@code Filter.FullText}; as the capability of that name. */
  FULL_TEXT,
  /** {@code Output.Cast}. */
  CASTS,
  /** Columns of a fixed list of labels; as the capability of that name. */
  ENUMERATIONS,
  /** Decimals of 38 digits. Without: one that cannot be kept exactly is refused. */
  EXACT_DECIMAL,
  /** Columns of dates and times. */
  NATIVE_DATES,
  /** Columns of times with offset. */
  TIME_ZONES,
  /** NaN and the infinities as double. Without: they are refused. */
  NOT_A_NUMBER,
  /** Negative zero as double. Without: it comes back as zero. */
  NEGATIVE_ZERO,
  /** {@code Insert.onConflict}. */
  UPSERT,
  /** {@code returning} of inserts, updates and deletes. */
  RETURNING,
  /** {@code InsertRows.DEFAULT} in some rows and not in others. */
  DEFAULT_IN_ROWS,
  /** Read-only transactions are enforced; as the capability of that name. */
  READ_ONLY_TRANSACTIONS,
  /** Isolation {@code SERIALIZABLE}. */
  SERIALIZABLE,
  /** Isolation {@code REPEATABLE_READ}. */
  REPEATABLE_READ,
  /** Isolation {@code READ_COMMITTED}. */
  READ_COMMITTED,
  /**
   * A transaction may write while others have begun and write other rows. Without: who cannot wait
   * any longer gets a {@code SERIALIZATION_FAILURE}.
   */
  CONCURRENT_TRANSACTIONS,
  /**
   * Others read the state before while a transaction has written. Without: who cannot wait any
   * longer gets a {@code SERIALIZATION_FAILURE}.
   */
  CONCURRENT_READS,
  /** Savepoints. */
  SAVEPOINTS,
  /** A statement that runs can be cancelled. */
  CANCEL,
  /** {@code Engine.watch}; as the capability of that name. */
  WATCH,
  /** {@code ?} in scripts. */
  SCRIPT_PARAMETERS,
  /** Division by zero fails. Without: it is null. */
  ARITHMETIC_ERRORS,
  /** Stored routines; as the capability of that name. Without: the catalog shows none. */
  ROUTINES,
  /** Answers come on the calling thread; as the capability of that name. */
  IN_PROCESS
}
