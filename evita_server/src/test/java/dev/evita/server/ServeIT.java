// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code evita serve} in a process of its own. */
final class ServeIT {

  private static final String TABLE =
      "create table pets (id integer primary key, name varchar(20))";
  private static final String ROW = "insert into pets values (1, 'Rex')";
  private static final String QUERY = "{ pets { id name } }";
  private static final String ANSWER = "{\"data\":{\"pets\":[{\"id\":1,\"name\":\"Rex\"}]}}";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void serve_existingDatabase_respondsAndEndsCleanly(String kind) throws SQLException {
    var url = url(kind);
    execute(url, TABLE, ROW);
    try (var evita = EvitaProcess.start("serve", "--db", url, "--port", "0").awaitServing()) {
      assertThat(evita.query(QUERY)).isEqualTo(ANSWER);
      assertThat(evita.curl()).contains("{ pets(limit: 3) { id name } }");

      var end = evita.terminate();

      assertThat(end.status()).isEqualTo(143);
      // The PostgreSQL of the tests does not force its writes.
      var complaints = end.err().lines().filter(line -> !line.contains(" DurabilityRules: "));
      assertThat(complaints.toList().toString())
          .doesNotContain("SLF4J", "JBoss", "XNIO", "jOOQ", "WARN", "ERROR");
    }
  }

  @Test
  void serve_ctrlC_endsWithItsStatus() throws SQLException {
    var url = url("sqlite");
    execute(url, TABLE, ROW);
    try (var evita = EvitaProcess.start("serve", "--db", url, "--port", "0").awaitServing()) {
      assertThat(evita.signal("INT").status()).isEqualTo(130);
    }
  }

  @Test
  void serve_selfSigned_printedCurlWorks() throws SQLException {
    var url = url("h2");
    execute(url, TABLE, ROW);
    try (var evita =
        EvitaProcess.start("serve", "--db", url, "--port", "0", "--tls-self-signed")
            .awaitServing()) {
      assertThat(evita.curl()).contains("https://");
      assertThat(Shell.run(evita.curl())).isEqualTo(ANSWER);
    }
  }

  @Test
  void serve_afterSigterm_h2FileIsClosed() throws SQLException, IOException {
    var url = url("h2");
    execute(url, TABLE, ROW);
    try (var evita = EvitaProcess.start("serve", "--db", url, "--port", "0").awaitServing()) {
      assertThat(evita.query(QUERY)).isEqualTo(ANSWER);
      evita.terminate();
    }

    // H2 writes this to the header of its file as the last step of an orderly close.
    var head = Files.readAllBytes(directory.resolve("pets.mv.db"));
    assertThat(new String(head, 0, 4096, StandardCharsets.ISO_8859_1)).contains("clean:1");
    execute(url, "insert into pets values (2, 'Tom')");
  }

  @Test
  void serve_requestInProgressAtSigterm_completes() throws SQLException {
    var url = url("postgresql");
    execute(url, "create view slow as select 1 as id, cast(pg_sleep(2) as text) as slept");
    try (var evita = EvitaProcess.start("serve", "--db", url, "--port", "0").awaitServing()) {
      var answer = evita.queryLater("{ slow { id slept } }");
      awaitStatement(url, "slow");

      var end = evita.terminate();

      assertThat(answer.join()).isEqualTo("{\"data\":{\"slow\":[{\"id\":1,\"slept\":\"\"}]}}");
      assertThat(end.status()).isEqualTo(143);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void serve_withInit_runsScriptFirst(String kind) throws IOException {
    var script = script(TABLE + ";\n-- a comment; with a semicolon\n" + ROW + ";\n");
    try (var evita =
        EvitaProcess.start("serve", "--db", url(kind), "--init", script, "--port", "0")
            .awaitServing()) {
      assertThat(evita.query(QUERY)).isEqualTo(ANSWER);
    }
  }

  @Test
  void serve_memoryDatabase_needsNoFile() throws IOException {
    var script = script(TABLE + ";" + ROW);
    try (var evita =
        EvitaProcess.start("serve", "--db", "jdbc:h2:mem:pets", "--init", script, "--port", "0")
            .awaitServing()) {
      assertThat(evita.query(QUERY)).isEqualTo(ANSWER);
    }
  }

  @Test
  void serve_flagEnvironmentAndFile_areMerged() throws SQLException, IOException {
    var url = url("sqlite");
    execute(url, TABLE, ROW);
    var config = directory.resolve("evita.yaml");
    Files.writeString(config, "db: jdbc:sqlite:absent.db\nport: 1\nmax-depth: 3\n");
    var environment = Map.of("EVITA_CONFIG", config.toString(), "EVITA_DB", url, "EVITA_PORT", "2");
    try (var evita = EvitaProcess.start(environment, "serve", "--port", "0").awaitServing()) {
      assertThat(evita.query(QUERY)).isEqualTo(ANSWER);
    }
  }

  @Test
  void serve_portInUse_isReported() throws IOException, SQLException {
    var url = url("h2");
    execute(url, TABLE);
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = String.valueOf(other.getLocalPort());

      EvitaProcess.run("serve", "--db", url, "--port", port).isRefusal(port, "--port");
    }
  }

  @Test
  void serve_unreachableServer_isReported() {
    EvitaProcess.run(
            "serve", "--db", "jdbc:postgresql://127.0.0.1:1/shop", "--wait-for-database=0s")
        .isRefusal("database", "refused");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite"})
  void serve_missingFile_isReportedAndNotCreated(String kind) throws IOException {
    EvitaProcess.run("serve", "--db", url(kind))
        .isRefusal("database file", "does not exist", "--init");
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void serve_fileIsNoDatabase_isReported() throws IOException {
    Files.writeString(directory.resolve("pets.db"), "this is not a database\n".repeat(100));
    Files.writeString(directory.resolve("pets.mv.db"), "this is not a database\n".repeat(1000));

    EvitaProcess.run("serve", "--db", url("sqlite")).isRefusal();
    EvitaProcess.run("serve", "--db", url("h2")).isRefusal();
  }

  @Test
  void serve_h2FileInUse_isReported() throws SQLException {
    var url = url("h2");
    try (var other = DriverManager.getConnection(url)) {
      assertThat(other.isValid(0)).isTrue();

      EvitaProcess.run("serve", "--db", url).isRefusal("another process has it open", "pets.mv.db");
    }
  }

  @Test
  void serve_invalidScript_isReported() throws IOException {
    var script = script("create table pets (id integer primary key);\nselect from nowhere;");

    EvitaProcess.run("serve", "--db", "jdbc:h2:mem:x", "--init", script)
        .isRefusal("init script", "init.sql");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite"})
  void serve_invalidScriptForNewFile_leavesNoFile(String kind) throws IOException {
    var script = script(TABLE + ";\n" + ROW + ";\nselect from nowhere;");

    EvitaProcess.run("serve", "--db", url(kind), "--init", script).isRefusal("init script");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("init.sql"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite"})
  void serve_brokenScriptForAFileThatWas_leavesTheFile(String kind)
      throws IOException, SQLException {
    var url = url(kind);
    execute(url, TABLE, ROW);

    EvitaProcess.run("serve", "--db", url, "--init", script("select from nowhere;"))
        .isRefusal("init script");
    try (var evita = EvitaProcess.start("serve", "--db", url, "--port", "0").awaitServing()) {
      assertThat(evita.query(QUERY)).isEqualTo(ANSWER);
    }
  }

  @Test
  void serve_invalidConfig_isReported() throws IOException {
    var config = Files.writeString(directory.resolve("evita.yaml"), "port: 5555\nhots: x\n");

    EvitaProcess.run("serve", "--config", config.toString())
        .isRefusal("evita.yaml:2: unknown key 'hots'; did you mean host?");
  }

  @Test
  void serve_unknownSchema_isReported() throws SQLException {
    var url = url("h2");
    execute(url, TABLE);

    EvitaProcess.run("serve", "--db", url, "--schemas", "NOWHERE").isRefusal("NOWHERE");
  }

  @Test
  void serve_unknownRelationshipToRename_isReported() throws SQLException {
    var url = url("h2");
    execute(url, TABLE);

    EvitaProcess.run("serve", "--db", url, "--port=0", "--relationship-names=pets.owner=x")
        .isRefusal("pets.owner");
  }

  private String url(String kind) {
    return switch (kind) {
      case "h2" -> "jdbc:h2:file:" + directory.resolve("pets");
      case "sqlite" -> "jdbc:sqlite:" + directory.resolve("pets.db");
      case "postgresql" -> PostgresServer.start().createDatabase();
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private String script(String text) throws IOException {
    return Files.writeString(directory.resolve("init.sql"), text).toString();
  }

  private static void execute(String url, String... statements) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      for (var text : statements) {
        statement.execute(text);
      }
    }
  }

  private static void awaitStatement(String url, String part) throws SQLException {
    var sql =
        "select count(*) from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()"
            + " and datname = current_database() and position(? in query) > 0";
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.prepareStatement(sql)) {
      statement.setString(1, part);
      await(part)
          .atMost(Duration.ofSeconds(30))
          .until(() -> {
            try (var rows = statement.executeQuery()) {
              rows.next();
              return rows.getLong(1) > 0;
            }
          });
    }
  }
}
