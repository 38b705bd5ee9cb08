// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.testsupport.ProcessMemory;
import io.grpc.Status;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that never reads does not block the database for others. H2 has 255 transactions, the
 * pool for PostgreSQL ten connections.
 */
@Tag("long")
@Timeout(180)
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql"})
final class DeafClientsIT {

  private static final int ROWS = 10_000;
  private static final int DEAF = 400;
  private static final int SILENT = 300;
  private static final int CALLS = 4;

  /** For each of them, on both sides of the connection. */
  private static final long MOST_BYTES = 256L << 10;

  @Parameter private String kind = "";
  private GrpcServer server;
  private ReflectingClient deaf;
  private ReflectingClient other;

  @BeforeEach
  void open() {
    server =
        GrpcServer.over(
            kind, "create table items (id integer primary key, name varchar(500));\n" + rows());
    deaf = ReflectingClient.taking(64 << 10, server.port());
    other = new ReflectingClient(server.port());
  }

  private String rows() {
    return switch (kind) {
      case "h2" ->
          "insert into items select x, repeat('x', 500) from system_range(1, " + ROWS + ")";
      // Without a write-ahead log, who reads keeps others from writing.
      case "sqlite" ->
          "pragma journal_mode = wal;\n"
              + "with recursive numbers(value) as (select 1 union all select value + 1 from numbers"
              + " where value < "
              + ROWS
              + ") insert into items select value, printf('%.*c', 500, 'x') from numbers";
      default ->
          "insert into items select n, repeat('x', 500) from generate_series(1, " + ROWS + ") as n";
    };
  }

  @AfterEach
  void close() {
    deaf.close();
    other.close();
    server.close();
  }

  private String service() {
    return (kind.equals("sqlite") ? "main" : "public") + ".Items/";
  }

  /** Reads and writes, in no time to speak of: each call has twenty seconds. */
  private void requireServed() {
    for (int call = 0; call < CALLS; call++) {
      var id = ROWS + 1;
      other.call(service() + "Insert", "{\"row\": {\"id\": " + id + "}}");
      requireRead();
      assertThat(other.call(service() + "Delete", "{\"key\": {\"id\": " + id + "}}"))
          .contains("id");
    }
  }

  private void requireRead() {
    assertThat(other.call(service() + "List", "{\"page_size\": 3}")).contains("next_page_token");
  }

  @Test
  void unreadResponses_delayNoOtherRequests() throws Exception {
    requireServed();
    var before = ProcessMemory.used();
    var calls = new ArrayList<ReflectingClient.Unread>();
    for (int call = 0; call < DEAF; call++) {
      calls.add(deaf.leaveUnread(service() + "Scan", "{}"));
    }
    requireServed();
    assertThat((ProcessMemory.used() - before) / DEAF).isLessThan(MOST_BYTES);
    // Which of them had to give way is a matter of which was the first to wait for its client.
    var ended = Status.OK;
    for (int call = 0; call < DEAF && ended.isOk(); call++) {
      ended = calls.get(call).read();
    }
    assertThat(ended.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(ended.getDescription()).contains("others needed", "read faster");
  }

  @Test
  void transactionsThatGoNoFurther_holdNobodyUp() throws InterruptedException {
    requireServed();
    var query = "{\"query\": {\"table\": \"items\", \"limit\": 1}}";
    var open = new ArrayList<ReflectingClient.Conversation>();
    for (int call = 0; call < SILENT; call++) {
      open.add(deaf.converse("evita.v1.Database/Transaction").send(query));
    }
    if (kind.equals("sqlite")) {
      requireRead(); // who would write waits until the one transaction that may has ended
      assertThat(open).anySatisfy(one -> assertThat(one.next()).asString().contains("xxx"));
      return;
    }
    requireServed();
    Object ended = null;
    for (int call = 0; call < SILENT && ended == null; call++) {
      assertThat(open.get(call).next()).asString().contains("xxx");
      ended = open.get(call).next();
    }
    assertThat(ended)
        .isInstanceOfSatisfying(
            Status.class,
            status -> {
              assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
              assertThat(status.getDescription()).contains("others needed", "rolled back");
            });
  }
}
