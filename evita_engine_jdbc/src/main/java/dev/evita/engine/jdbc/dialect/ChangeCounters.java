// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.TableName;
import java.sql.SQLException;

/**
 * Counters of an embedded database that change with its rows, whoever changes them: this engine,
 * the embedding application, or another process. Cheap to read.
 */
public interface ChangeCounters {

  /** A number that differs from earlier ones once a change was committed. */
  long total() throws SQLException;

  /** Whether there is a counter for each table. */
  boolean byTable();

  /** Whether there are triggers, by which a change of one row may change others. */
  boolean triggers() throws SQLException;

  /**
   * Whether only one transaction has ended between two {@link #total}s, by the commit of a change.
   */
  boolean single(long before, long after);

  /**
   * A number that differs from earlier ones once a change of this table was committed; 0 for none
   * yet.
   */
  long of(TableName table);
}
