// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/**
 * A million rows on H2 in a file, and what one would write to export them without a server: a loop
 * over a result set that puts text together and writes it to a file.
 */
final class JdbcExport {

  static final int ROWS = 1_000_000;

  private static final String SCRIPT =
      """
      create table readings (
        id int primary key, name varchar(40) not null, amount numeric(8, 2) not null,
        active boolean not null, created timestamp not null);
      insert into readings
        select x, 'reading "' || mod(x, 1000) || '", noted', mod(x, 997) + 0.25, mod(x, 3) = 0,
          dateadd('second', x, timestamp '2026-01-01 00:00:01')
        from system_range(1, %s)
      """;

  private JdbcExport() {}

  static void create(String url) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      for (var each : SCRIPT.formatted(String.valueOf(ROWS)).split(";", -1)) {
        statement.execute(each);
      }
    }
  }

  /** For each line of the input, a format and a file, exports the rows and prints milliseconds. */
  public static void main(String[] arguments) throws IOException, SQLException {
    try (var input = new java.util.Scanner(System.in, StandardCharsets.UTF_8)) {
      while (input.hasNextLine()) {
        var words = input.nextLine().split(" ", -1);
        var start = System.nanoTime();
        export(arguments[0], words[0].equals("csv"), Path.of(words[1]));
        System.out.println((System.nanoTime() - start) / 1_000_000);
      }
    }
  }

  private static void export(String url, boolean csv, Path file) throws IOException, SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      connection.setAutoCommit(false);
      statement.setFetchSize(1000);
      try (var rows = statement.executeQuery("select * from readings order by id")) {
        if (csv) {
          write(out, "id,name,amount,active,created\r\n");
        }
        while (rows.next()) {
          write(out, csv ? csvLine(rows) : jsonLine(rows));
        }
      }
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String jsonLine(ResultSet row) throws SQLException {
    return "{\"id\":"
        + row.getInt(1)
        + ",\"name\":\""
        + row.getString(2).replace("\\", "\\\\").replace("\"", "\\\"")
        + "\",\"amount\":"
        + row.getBigDecimal(3)
        + ",\"active\":"
        + row.getBoolean(4)
        + ",\"created\":\""
        + time(row)
        + "\"}\n";
  }

  private static String csvLine(ResultSet row) throws SQLException {
    return row.getInt(1)
        + ",\""
        + row.getString(2).replace("\"", "\"\"")
        + "\","
        + row.getBigDecimal(3)
        + ","
        + row.getBoolean(4)
        + ","
        + time(row)
        + "\r\n";
  }

  private static String time(ResultSet row) throws SQLException {
    return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(row.getObject(5, LocalDateTime.class));
  }
}
