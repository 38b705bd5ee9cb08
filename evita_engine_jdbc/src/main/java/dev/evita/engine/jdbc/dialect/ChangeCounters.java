// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.TableName;
import java.sql.SQLException;

/**
 * Numbers of an embedded database that change with its rows, whoever changes them: this engine, the
 * program that it is embedded in, or another process. Cheap to ask.
 */
public interface ChangeCounters {

  /** Another number than before once a change was committed. */
  long total() throws SQLException;

  /** Whether there is a number for each table. */
  boolean byTable();

  /** Whether there are triggers, by which a change of one row may change any others. */
  boolean triggers() throws SQLException;

  /**
   * Whether one transaction alone has ended between two of the {@link #total}s, where that was the
   * commit of one that has changed something.
   */
  boolean single(long before, long after);

  /** Another number than before once a change of this table was committed; 0 for none yet. */
  long of(TableName table);
}
