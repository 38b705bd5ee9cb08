// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * A feature that an engine may support beyond the core of the contract.
 *
 * <p>The core: a select of columns of one table, filtered by comparisons with values, lists and
 * null, combined by and, or and not; ordered by columns; limited; pushed, paused and cancelled.
 * Everything else that an operation or a transaction can ask for has its capability, see {@link
 * Operation#requiredCapabilities} and {@link TransactionOptions#requiredCapabilities}.
 *
 * <p>An operation that requires a missing capability must fail with {@link
 * ErrorCode#UNSUPPORTED_OPERATION}, never silently behave differently: {@link #require} does that
 * for an engine. Protocols do not offer what would always fail.
 */
public enum Capability {
  /**
   * The engine works in this process on the calling thread, so that a bounded operation may run on
   * an I/O thread.
   */
  IN_PROCESS("execution on the calling thread"),
  /** {@link Engine#watch} publishes committed changes. */
  WATCH("the publication of commits"),
  /** {@link Comparison#LIKE} and {@link Comparison#ILIKE}. */
  LIKE("patterns of LIKE"),
  /** {@link Comparison#MATCHES} and {@link Comparison#IMATCHES}: regular expressions. */
  REGULAR_EXPRESSIONS("regular expressions"),
  /** {@link Filter.CompareColumns}. */
  COLUMN_COMPARISONS("comparisons of two columns"),
  /**
   * Columns of {@link DataType.Array}, with {@link Comparison#CONTAINS}, {@link
   * Comparison#CONTAINED_IN} and {@link Comparison#OVERLAPS}.
   */
  ARRAYS("arrays"),
  /** {@link Comparison#CONTAINS} and {@link Comparison#CONTAINED_IN} of JSON. */
  JSON_CONTAINMENT("containment of JSON"),
  /** {@link Output.Path}: values inside JSON. */
  JSON_PATHS("paths into JSON"),
  /** {@link Filter.FullText}. */
  FULL_TEXT("full-text search"),
  /** Columns of {@link DataType.Enumeration}. */
  ENUMERATIONS("enumerations"),
  /** {@link Output.Cast}. */
  CASTS("casts"),
  /** {@link Select#offset()}. */
  OFFSET("offsets"),
  /** {@link Select#after()} and {@link Select#before()}. */
  KEYSET("keyset pagination"),
  /** {@link Select#distinctOn()}. */
  DISTINCT_ON("distinct rows"),
  /** {@link Output.Aggregate}. */
  AGGREGATES("aggregates"),
  /** {@link Select#groupBy()}, of aggregates. */
  GROUP_BY("groups"),
  /** {@link Output.Nested} of single relationships. */
  NESTED_TO_ONE("nested rows of single relationships"),
  /** {@link Output.Nested} of relationships to many rows. */
  NESTED_TO_MANY("nested rows of relationships to many rows"),
  /** {@link Select#limit()} and {@link Select#offset()} per parent, in nested outputs. */
  NESTED_LIMIT("limits of nested rows"),
  /** {@link Output.Aggregate} per parent, in nested outputs. */
  NESTED_AGGREGATES("aggregates of nested rows"),
  /** {@link Filter.Exists}. */
  FILTER_BY_RELATIONSHIP("filters by related rows"),
  /** {@link Order#path()} to a value of a single related row. */
  ORDER_BY_RELATIONSHIP("orders by related rows"),
  /** {@link Filter.Aggregated}, and an {@link Order} by aggregates of related rows. */
  RELATED_AGGREGATES("filters and orders by aggregates of related rows"),
  /** {@link Output.Related}. */
  RELATED_VALUES("values of related rows"),
  /** {@link Insert}. */
  INSERT("inserts"),
  /** {@link Update}. */
  UPDATE("updates"),
  /** {@link Update.Change.Increment}. */
  INCREMENT("increments"),
  /** {@link Delete}. */
  DELETE("deletes"),
  /** {@link Insert#onConflict()}. */
  UPSERT("upserts"),
  /** {@code returning} of {@link Insert}, {@link Update} and {@link Delete}. */
  RETURNING("rows returned by writes"),
  /** {@link InsertRows#DEFAULT} in some rows and not in others. */
  DEFAULT_IN_ROWS("defaults in single rows of an insert"),
  /** {@link Engine#begin}. Without it, protocols offer no writes. */
  TRANSACTIONS("transactions"),
  /** {@link Transaction#savepoint()}. */
  SAVEPOINTS("savepoints"),
  /** {@link TransactionOptions#readOnly()} is enforced. */
  READ_ONLY_TRANSACTIONS("read-only transactions"),
  /** {@link TransactionOptions.Isolation#READ_COMMITTED}. */
  READ_COMMITTED("the isolation level READ_COMMITTED"),
  /** {@link TransactionOptions.Isolation#REPEATABLE_READ}. */
  REPEATABLE_READ("the isolation level REPEATABLE_READ"),
  /** {@link TransactionOptions.Isolation#SERIALIZABLE}. */
  SERIALIZABLE("the isolation level SERIALIZABLE"),
  /** {@link Call}. */
  ROUTINES("routines"),
  /** {@link NativeQuery}. */
  NATIVE_QUERIES("native queries"),
  /** {@link Script}. */
  SCRIPTS("scripts"),
  /** {@link Script#parameters()}. */
  SCRIPT_PARAMETERS("parameters of scripts");

  private final String feature;

  Capability(String feature) {
    this.feature = feature;
  }

  /** The feature in a message to users, a noun phrase in the plural or with its article. */
  public String feature() {
    return feature;
  }

  /** Returns the failure of an engine that lacks this capability: {@code UNSUPPORTED_OPERATION}. */
  public EvitaException unsupportedBy(Engine engine) {
    return new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION,
        engine.name() + " does not support " + feature + " (capability " + name() + ")");
  }

  /**
   * Rejects an operation that requires a capability which the engine lacks; for {@link
   * Engine#prepare}.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION}, with the names of the feature and the
   *     engine
   */
  public static void require(Operation operation, Engine engine) {
    var capabilities = engine.capabilities();
    for (var required : operation.requiredCapabilities(engine.catalog())) {
      if (!capabilities.contains(required)) {
        throw required.unsupportedBy(engine);
      }
    }
  }

  /**
   * Rejects a transaction that requires a capability which the engine lacks; for {@link
   * Engine#begin}.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION}, with the names of the feature and the
   *     engine
   */
  public static void require(TransactionOptions options, Engine engine) {
    for (var required : options.requiredCapabilities()) {
      if (!engine.capabilities().contains(required)) {
        throw required.unsupportedBy(engine);
      }
    }
  }
}
