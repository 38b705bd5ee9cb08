// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.quarkusgraphql;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Makes the shop's tables before the first request. */
@ApplicationScoped
class ShopScript {

  void run(
      @Observes StartupEvent event,
      DataSource dataSource,
      @ConfigProperty(name = "script") String script)
      throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("runscript from '" + script + "'");
    }
  }
}
