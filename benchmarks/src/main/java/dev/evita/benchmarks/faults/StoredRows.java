// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows stored at the end. */
record StoredRows(List<StoredRow> rows, Map<Integer, Long> counters) {

  /** A row of the table {@code ledger}. */
  record StoredRow(String operation, int part) {}

  StoredRows {
    rows = List.copyOf(rows);
    counters = Map.copyOf(counters);
  }

  /** Reads all of it, without the server. */
  static StoredRows read(Connection connection) throws SQLException {
    var rows = new ArrayList<StoredRow>();
    var counters = new HashMap<Integer, Long>();
    try (var statement = connection.createStatement()) {
      try (var result = statement.executeQuery("select op, part from ledger")) {
        while (result.next()) {
          rows.add(new StoredRow(result.getString(1), result.getInt(2)));
        }
      }
      try (var result = statement.executeQuery("select id, amount from counters")) {
        while (result.next()) {
          counters.put(result.getInt(1), result.getLong(2));
        }
      }
    }
    return new StoredRows(rows, counters);
  }
}
