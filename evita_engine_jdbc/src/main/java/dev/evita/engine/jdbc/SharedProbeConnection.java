// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.engine.jdbc.connection.ProbeConnection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A probe's connection from a data source that others use as well. It is kept only until somebody
 * waits for a connection; from then on nothing is asked, as a data source without a free connection
 * says nothing about its database.
 */
final class SharedProbeConnection extends ProbeConnection {

  private final DataSourceLeases leases;
  private boolean contended;

  SharedProbeConnection(DataSource source, DataSourceLeases leases) {
    super(source::getConnection, leases::hasConnections);
    this.leases = leases;
  }

  @Override
  public void prepare() throws SQLException {
    contended |= leases.waiting() > 0;
    if (contended) {
      close();
    } else if (!isKept()) {
      var unused = open();
    }
  }

  @Override
  public void ask() throws SQLException {
    if (!contended) {
      super.ask();
    }
  }
}
