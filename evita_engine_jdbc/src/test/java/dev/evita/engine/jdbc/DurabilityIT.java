// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.testsupport.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/** The required durability is set, or the engine does not open. */
@Tag("long")
@Timeout(120)
final class DurabilityIT {

  @TempDir private Path folder;

  private static JdbcOptions at(Durability level) {
    return JdbcOptions.builder().durability(level).build();
  }

  private String h2(String settings) {
    return "jdbc:h2:" + folder.resolve("db") + settings;
  }

  private static void requireRefused(String url, Durability level, String... words) {
    assertThatThrownBy(() -> JdbcEngine.open(url, at(level)).close())
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
              assertThat(failure).hasMessageContainingAll(words);
            });
  }

  private static void requireOpens(String url, Durability level) {
    assertThatCode(() -> JdbcEngine.open(url, at(level)).close()).doesNotThrowAnyException();
  }

  // ---- H2 ----

  /**
   * Like after {@code kill -9}: the operating system's view of the file at that moment, opened by
   * H2 without recovery.
   */
  @Test
  void h2_acknowledgedInsert_isInTheFile() throws Exception {
    try (var engine = JdbcEngine.open(h2(""))) {
      var db = new EngineDriver(engine);
      db.script("create table t (id int primary key, filler varchar)");
      for (int i = 1; i <= 60; i++) {
        db.script("insert into t values (" + i + ", repeat('x', " + i * 37 % 900 + "))");
        db.script("update t set filler = repeat('y', " + i * 41 % 900 + ") where id = " + i / 2);
        var copy = folder.resolve("copy" + i);
        Files.copy(folder.resolve("db.mv.db"), folder.resolve("copy" + i + ".mv.db"));
        try (var later = DriverManager.getConnection("jdbc:h2:" + copy);
            var statement = later.createStatement();
            var rows = statement.executeQuery("select max(id), max(length(filler)) from t")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(i);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void h2_delayInTheUrl_isRejected(Durability level) {
    requireRefused(h2(";WRITE_DELAY=500"), level, "WRITE_DELAY=500", "omit WRITE_DELAY");
    requireRefused(h2(";INIT=SET WRITE_DELAY 20"), level, "WRITE_DELAY=20");
    requireOpens(h2(";WRITE_DELAY=0"), level);
  }

  @Test
  void h2_sharedWithOtherProcesses_requiresNoWriteDelay() {
    requireRefused(h2(";AUTO_SERVER=TRUE"), Durability.PROCESS, "500 ms", ";WRITE_DELAY=0");
    requireOpens(h2(";AUTO_SERVER=TRUE;WRITE_DELAY=0"), Durability.PROCESS);
    requireRefused(h2(";AUTO_SERVER=TRUE;WRITE_DELAY=0"), Durability.POWER, "without AUTO_SERVER");
  }

  @Test
  void h2_inAnotherProcess_requiresNoWriteDelay() throws SQLException {
    var server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    try {
      var url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/" + folder.resolve("db");
      requireRefused(url, Durability.PROCESS, "500 ms", ";WRITE_DELAY=0");
      requireOpens(url + ";WRITE_DELAY=0", Durability.PROCESS);
      requireRefused(url + ";WRITE_DELAY=0", Durability.POWER, "file URL");
    } finally {
      server.stop();
    }
  }

  @Test
  void h2_ofADataSource_requiresNoWriteDelay() throws SQLException {
    var source = new JdbcDataSource();
    source.setURL(h2(";DB_CLOSE_DELAY=-1"));
    assertThatThrownBy(() -> JdbcEngine.over(source).close())
        .isInstanceOf(EvitaException.class)
        .hasMessageContainingAll("500 ms", "WRITE_DELAY=0");
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("set write_delay 0");
    }
    assertThatCode(() -> JdbcEngine.over(source).close()).doesNotThrowAnyException();
    assertThatThrownBy(() -> JdbcEngine.over(source, at(Durability.POWER)).close())
        .isInstanceOf(EvitaException.class)
        .hasMessageContainingAll("power", "file URL");
  }

  @Test
  void h2_encrypted_doesNotSupportPower() {
    requireRefused(h2(";CIPHER=AES"), Durability.POWER, "encrypted", "CIPHER");
    try (var engine =
        JdbcEngine.open(
            h2(";CIPHER=AES"), JdbcOptions.builder().user("sa").password("file user").build())) {
      assertThat(new EngineDriver(engine).script("select 1")).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:h2:mem:", "jdbc:h2:memFS:db", "jdbc:sqlite::memory:"})
  void inMemory_supportsNoDurability(String url) {
    requireRefused(url, Durability.POWER, "in-memory", "use a file");
    requireOpens(url, Durability.PROCESS);
  }

  /** 4 MB of data, all of which is rewritten many times. */
  @ParameterizedTest
  @EnumSource
  void h2_underSteadyWrites_keepsItsFileSmall(Durability level) throws Exception {
    var rows = 4_000;
    var random = new Random(1);
    try (var engine = JdbcEngine.open(h2(""), at(level))) {
      var db = new EngineDriver(engine);
      db.script("create table t (id int primary key, filler varchar)");
      db.script("insert into t select x, repeat('x', 1000) from system_range(1, " + rows + ")");
      for (int i = 0; i < 5 * rows; i++) {
        db.script(
            "update t set filler = repeat(cast("
                + i
                + " as varchar), 200) where id = "
                + (1 + random.nextInt(rows)));
      }
      assertThat(Files.size(folder.resolve("db.mv.db"))).isLessThan(40L << 20);
    }
  }

  /** 4 MB of data, inserted row by row; without compaction the file has 39 MB. */
  @ParameterizedTest
  @EnumSource
  void h2_underSteadyInserts_keepsItsFileSmall(Durability level) throws Exception {
    try (var engine = JdbcEngine.open(h2(""), at(level))) {
      var db = new EngineDriver(engine);
      db.script("create table t (id int primary key, filler varchar)");
      for (int i = 0; i < 40_000; i++) {
        db.script("insert into t values (" + i + ", repeat('x', 100))");
      }
      assertThat(Files.size(folder.resolve("db.mv.db"))).isLessThan(20L << 20);
    }
  }

  /** Closing any descriptor of a file releases all locks that its process holds on it. */
  @Test
  void h2_openInThisProcess_staysLocked() throws Exception {
    try (var others = DriverManager.getConnection(h2(""));
        var statement = others.createStatement()) {
      statement.execute("create table t (id int)");
      JdbcEngine.open(h2("")).close();
      assertThat(shell("select 1")).contains("90020");
      statement.execute("insert into t values (1)");
    }
    assertThat(shell("select count(*) from t")).doesNotContain("90020");
  }

  /** H2's own shell, in a process of its own. */
  private String shell(String sql) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var h2 = Path.of(Server.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    var output = folder.resolve("shell.txt");
    var process =
        new ProcessBuilder(
                java, "-cp", h2.toString(), "org.h2.tools.Shell", "-url", h2(""), "-sql", sql)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return Files.readString(output);
  }

  // ---- SQLite ----

  private static Object synchronous(String url, Durability level) {
    try (var engine = JdbcEngine.open(url, at(level))) {
      return new EngineDriver(engine).script("pragma synchronous").getFirst().getFirst();
    }
  }

  @ParameterizedTest
  @CsvSource({"WAL,PROCESS,1", "WAL,POWER,2", "DELETE,PROCESS,2", "DELETE,POWER,3"})
  void sqlite_isSet(String journal, Durability level, long expected) throws SQLException {
    var url = "jdbc:sqlite:" + folder.resolve("db.sqlite");
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = " + journal);
      statement.execute("create table t (id int)");
    }
    assertThat(synchronous(url, level)).isEqualTo(expected);
  }

  @Test
  void sqlite_weakerInTheUrl_isRejected() {
    var url = "jdbc:sqlite:" + folder.resolve("db.sqlite");
    // of a new file, and of an existing one
    requireRefused(url + "?journal_mode=OFF", Durability.PROCESS, "journal_mode is off", "WAL");
    requireRefused(url + "?synchronous=OFF", Durability.POWER, "synchronous is 0", "omit");
    requireRefused(url + "?journal_mode=OFF", Durability.PROCESS, "journal_mode is off", "WAL");
    requireOpens(url + "?synchronous=EXTRA", Durability.POWER);
  }

  @Test
  void sqlite_ofADataSource_isReadBack() {
    var source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + folder.resolve("db.sqlite"));
    source.setSynchronous("NORMAL");
    source.setJournalMode("WAL");
    assertThatCode(() -> JdbcEngine.over(source).close()).doesNotThrowAnyException();
    assertThatThrownBy(() -> JdbcEngine.over(source, at(Durability.POWER)).close())
        .isInstanceOf(EvitaException.class)
        .hasMessageContainingAll("synchronous is 1", "pragma synchronous = 2");
  }

  // ---- PostgreSQL ----

  @ParameterizedTest
  @EnumSource
  void postgres_weakerInTheUrl_isRejected(Durability level) {
    var url = PostgresServer.start().createDatabase();
    var weaker = url + (url.contains("?") ? "&" : "?") + "options=-c%20synchronous_commit=off";
    requireRefused(weaker, level, "synchronous_commit=off", "omit synchronous_commit");
    requireOpens(url, level);
  }

  @Test
  void postgres_weakerByTheServer_isLogged() throws SQLException {
    var url = PostgresServer.start().createDatabase();
    var name = url.replaceAll(".*/([a-z0-9]+).*", "$1");
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("alter database " + name + " set synchronous_commit = off");
    }
    try (var log = new LoggedWarnings()) {
      requireOpens(url, Durability.PROCESS);
      assertThat(log.messages())
          .anySatisfy(message ->
              assertThat(message).contains("synchronous_commit=off", "database", "may be lost"));
    }
  }
}
