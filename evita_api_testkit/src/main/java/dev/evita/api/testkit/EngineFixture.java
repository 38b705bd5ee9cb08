// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the tables and rows of the test kit in a database, by whatever means the engine's author
 * has: the engine's own methods, files, or SQL ({@link SqlFixture}).
 *
 * <p>Each change must be in the engine's catalog after {@link dev.evita.api.Engine#refresh}. All
 * names are exact; tables are in the default schema unless a schema is given. Called by one thread
 * at a time. A failure is thrown; {@link dev.evita.api.EvitaException} only where stated.
 */
public interface EngineFixture {

  /**
   * Whether columns of a type can be created.
   *
   * <p>Must be true for {@code BOOLEAN}, {@code INT32}, {@code INT64}, {@code FLOAT64}, {@code
   * DECIMAL} and {@code TEXT}. Called for all scalars, for arrays of {@code INT32} and {@code
   * TEXT}, and for the enumeration {@code mood} of {@code sad}, {@code ok} and {@code happy}; but
   * not for types whose behavior is denied.
   */
  boolean supports(DataType type);

  /** The number of fraction digits of seconds that times and timestamps keep, 0 to 9. */
  default int fractionDigits() {
    return 6;
  }

  /** Creates a schema. Called only with {@link EngineBehavior#SCHEMAS}. */
  default void createSchema(String name) {
    throw new UnsupportedOperationException("createSchema; deny SCHEMAS in has()");
  }

  /**
   * Creates a table. Tables that it refers to exist.
   *
   * @throws dev.evita.api.EvitaException of any code if there is one whose name differs only by
   *     case, without {@link EngineBehavior#CASE_SENSITIVE_NAMES}
   */
  void createTable(TableDefinition table);

  /** Drops a table of the default schema, with its rows. */
  void dropTable(String name);

  /**
   * Creates a view of some columns of a table, with the rows whose value in one column is greater
   * than a bound. Called only with {@link EngineBehavior#VIEWS}.
   */
  default void createView(
      String name, String table, List<String> columns, String column, int greaterThan) {
    throw new UnsupportedOperationException("createView; deny VIEWS in has()");
  }

  /** Creates an index over columns of a table. Called only with {@link EngineBehavior#INDEXES}. */
  default void createIndex(String name, String table, List<String> columns) {
    throw new UnsupportedOperationException("createIndex; deny INDEXES in has()");
  }

  /** Drops an index. */
  default void dropIndex(String name) {
    throw new UnsupportedOperationException("dropIndex; deny INDEXES in has()");
  }

  /**
   * Inserts rows, by hundreds of thousands; the rows that they refer to exist.
   *
   * @param rows values in the order of the columns: null, or {@code Boolean}, {@code Integer},
   *     {@code Long}, {@code BigDecimal}, {@code Double}, {@code String}
   */
  void insert(String table, List<String> columns, List<List<@Nullable Object>> rows);

  /** Deletes all rows of a table; no others refer to them. */
  void deleteAll(String table);

  /**
   * Creates the routines of the test kit, after its tables, as {@link
   * EngineDialect#routineDefinitions} describes them. Called only with {@link
   * EngineBehavior#ROUTINES}.
   */
  default void createRoutines() {
    throw new UnsupportedOperationException("createRoutines; deny ROUTINES in has()");
  }
}
