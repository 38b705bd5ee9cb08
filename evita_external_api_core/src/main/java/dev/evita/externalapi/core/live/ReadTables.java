// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.Operation;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import java.util.HashSet;
import java.util.Set;

/** Which tables operations read. */
public final class ReadTables {

  private ReadTables() {}

  /** The tables that all of these read. Operations other than selects are not looked at. */
  public static Set<TableName> by(Iterable<Operation> operations) {
    var tables = new HashSet<TableName>();
    for (var operation : operations) {
      if (operation instanceof Select select) {
        tables.addAll(select.tables());
      }
    }
    return Set.copyOf(tables);
  }
}
