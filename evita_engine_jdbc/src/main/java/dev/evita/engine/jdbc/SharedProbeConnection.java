// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.engine.jdbc.connection.ProbeConnection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A probe's connection from a data source with other users. It is kept only until a request waits
 * for a connection; from then on the probe is suspended, as a data source without a free connection
 * does not indicate the state of its database.
 */
final class SharedProbeConnection extends ProbeConnection {

  private final DataSourceLeases leases;
  private boolean contended;

  SharedProbeConnection(DataSource source, DataSourceLeases leases, Duration longest) {
    super(source::getConnection, leases::hasConnections, longest);
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
  public void query() throws SQLException {
    if (!contended) {
      super.query();
    }
  }
}
