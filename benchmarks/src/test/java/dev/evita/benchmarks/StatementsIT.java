// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/**
 * Guards speed by what does not depend on the machine: how many statements the database itself
 * counts for a request.
 */
final class StatementsIT {

  private static final int REQUESTS = 10;
  private static final String COUNT =
      "select coalesce(sum(execution_count), 0) from information_schema.query_statistics"
          + " where sql_statement like '%\"PUBLIC\".%'";

  @Test
  void byPk_costsOneStatement() throws IOException, SQLException {
    assertThat(statements(EmbeddedShop.BY_PK)).isEqualTo(REQUESTS);
  }

  @Test
  void list_withTwoRelationships_costsTwo_asTheSingleOneIsJoined()
      throws IOException, SQLException {
    assertThat(statements(EmbeddedShop.LIST)).isEqualTo(2 * REQUESTS);
  }

  @Test
  void rest_costsTheSame() throws IOException, SQLException {
    assertThat(statements(EmbeddedShop.REST_BY_PK)).isEqualTo(REQUESTS);
    assertThat(statements(EmbeddedShop.REST_LIST)).isEqualTo(REQUESTS);
  }

  private static long statements(HttpProbe ask) throws IOException, SQLException {
    try (var shop = new EmbeddedShop(0);
        var client = new KeepAliveClient(shop.port(), ask);
        var connection = DriverManager.getConnection(shop.url());
        var statement = connection.createStatement()) {
      client.send();
      statement.execute("set query_statistics true");
      for (int i = 0; i < REQUESTS; i++) {
        client.send();
      }
      try (var count = statement.executeQuery(COUNT)) {
        count.next();
        return count.getLong(1);
      }
    }
  }
}
