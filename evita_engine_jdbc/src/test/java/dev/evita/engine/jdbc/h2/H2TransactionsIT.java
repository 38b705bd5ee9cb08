// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.Output;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.engine.jdbc.JdbcEngine;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** H2 supports at most 255 open transactions. */
final class H2TransactionsIT {

  /** As many responses wait for slow consumers. */
  @Test
  void transactions_beyondTheLimit_areRejected() throws Exception {
    var url = "jdbc:h2:mem:" + UUID.randomUUID();
    try (var database = DriverManager.getConnection(url);
        var engine = JdbcEngine.open(url)) {
      try (var statement = database.createStatement()) {
        statement.execute("create table numbers (id int primary key)");
        statement.execute("insert into numbers select x from system_range(1, 10000)");
      }
      engine.refresh();
      var select =
          engine.prepare(
              Select.of(new TableName("PUBLIC", "NUMBERS"), List.of(new Output.Column("ID"))));
      var paused = new ArrayList<CollectingSink>();
      while (paused.size() < 300 && paused.stream().noneMatch(CollectingSink::hasEnded)) {
        var sink = CollectingSink.demanding(row -> Demand.PAUSE);
        select.run(Arguments.NONE, null, sink);
        paused.add(sink);
      }
      var refused = paused.removeLast();
      assertThat(refused.failure()).isNotNull();
      assertThat(refused.failure().code()).isEqualTo(ErrorCode.POOL_EXHAUSTED);
      assertThat(refused.failure().publicMessage()).contains("255", "retry later");

      paused.forEach(sink -> sink.execution().cancel(ErrorCode.CANCELLED));
      var next = new CollectingSink();
      select.run(Arguments.NONE, null, next);
      assertThat(next.rows()).hasSize(10_000);
    }
  }
}
