// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import dev.evita.testsupport.SmallDisk;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** A database that the server writes to, and the faults that can strike it. */
interface DatabaseUnderTest extends AutoCloseable {

  /** The size of the file system that can be full: a run leaves less than half of it. */
  int DISK_MEGABYTES = 512;

  /** The tables, from which each database differs by the type of a generated key alone. */
  static List<String> schema(String generatedKey, int writers) {
    var counters = new StringBuilder("insert into counters values (0, 0)");
    for (int writer = 1; writer < writers; writer++) {
      counters.append(", (").append(writer).append(", 0)");
    }
    return List.of(
        "create table ledger (id "
            + generatedKey
            + ", op varchar(80) not null, part int not null, payload varchar(1000))",
        "create table counters (id int primary key, amount bigint not null)",
        counters.toString());
  }

  /** Its name in the report. */
  String title();

  /** The JDBC URL that the server is given. */
  String url();

  /** All faults that can strike here. */
  Set<Fault> faults();

  /** Creates the tables. Called once, before the server runs. */
  void create(int writers) throws SQLException;

  /** Connects past the server, which has stopped. */
  Connection connect() throws SQLException;

  /** Changes the schema while the server runs. */
  void changeSchema(Client client) throws SQLException, InterruptedException;

  /**
   * Strikes with a fault of the database itself, and returns once its cause is removed.
   *
   * @return whether it met anything: a connection, a message, a process
   */
  boolean strike(Fault fault) throws IOException, InterruptedException, SQLException;

  /** The disk for {@link Fault#FULL_DISK}. */
  SmallDisk disk();

  @Override
  void close() throws IOException;
}
