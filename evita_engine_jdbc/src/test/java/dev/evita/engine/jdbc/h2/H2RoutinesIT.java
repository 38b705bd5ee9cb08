// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Call;
import dev.evita.api.Column;
import dev.evita.api.Delete;
import dev.evita.api.ErrorCode;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H2's aliases beyond the features common to all engines. */
public final class H2RoutinesIT {

  private final EngineDriver db =
      new EngineDriver(JdbcEngine.open("jdbc:h2:mem:" + UUID.randomUUID()));

  @AfterEach
  void close() {
    db.engine().close();
  }

  private void alias(String name, String java) {
    db.script("create alias " + name + " as $$ " + java + " $$");
    db.engine().refresh();
  }

  private List<Routine> routines() {
    return db.catalog().routines();
  }

  private Call call(Bindings bind, @Nullable Object... values) {
    var routine =
        routines().stream()
            .filter(each -> each.parameters().size() == values.length)
            .findFirst()
            .orElseThrow();
    var arguments = new LinkedHashMap<String, Parameter>();
    for (int i = 0; i < values.length; i++) {
      arguments.put(routine.parameters().get(i).name(), bind.value(values[i]));
    }
    var outputs =
        routine.result().stream().<Output>map(column -> new Output.Column(column.name())).toList();
    return new Call(routine.schema(), routine.name(), arguments, outputs);
  }

  private List<List<@Nullable Object>> called(@Nullable Object... values) {
    var bind = new Bindings();
    return db.rows(call(bind, values), bind);
  }

  @Test
  void overloads_areResolvedByTheNumberOfParameters() {
    db.script("create alias format for 'dev.evita.engine.jdbc.h2.H2RoutinesIT$Overloaded.format'");
    db.engine().refresh();
    assertThat(routines()).hasSize(2);
    assertThat(called("a")).containsExactly(row("a"));
    assertThat(called("a", 1)).containsExactly(row("a1"));
  }

  /** Two methods of one name. */
  public static final class Overloaded {
    private Overloaded() {}

    public static String format(String text) {
      return text;
    }

    public static String format(String text, int number) {
      return text + number;
    }
  }

  @Test
  void resultSetColumns_areDeterminedWithoutSideEffects() {
    db.script("create table log (text varchar(20))");
    alias(
        "noting",
        """
        java.sql.ResultSet f(java.sql.Connection c, String text) throws java.sql.SQLException {
          c.createStatement().execute("insert into log values ('" + text + "')");
          return c.createStatement().executeQuery("select text, char_length(text) as len from log");
        }
        """);
    assertThat(routines()).singleElement().matches(Routine::returnsMany);
    assertThat(routines().getFirst().result())
        .extracting(Column::name)
        .containsExactly("TEXT", "LEN");
    assertThat(db.script("select * from log")).isEmpty();
  }

  @Test
  void alias_checkingTheConnectionUrl_writesOnce() {
    db.script("create table log (text varchar(20))");
    alias(
        "noting",
        """
        java.sql.ResultSet f(java.sql.Connection c, String text) throws java.sql.SQLException {
          if (!c.getMetaData().getURL().equals("jdbc:columnlist:connection")) {
            c.createStatement().execute("insert into log values ('" + text + "')");
          }
          return c.createStatement().executeQuery("select text, char_length(text) as len from log");
        }
        """);
    assertThat(called("one")).containsExactly(row("one", 3));
    assertThat(called("two")).containsExactly(row("one", 3), row("two", 3));
  }

  @Test
  void alias_withoutKnownColumns_isOmitted() {
    alias(
        "failing",
        "java.sql.ResultSet f(String t) { throw new IllegalStateException(\"x\" + t.length()); }");
    alias("various", "int f(String... all) { return all.length; }");
    assertThat(routines()).isEmpty();
  }

  @Test
  void sqlException_isRaisedWithItsMessage() {
    alias(
        "refused",
        """
        int f(String state) throws java.sql.SQLException {
          throw new java.sql.SQLException("Out of stock", state);
        }
        """);
    for (var state : List.of("45000", "P0001")) {
      var own = new Bindings();
      var second = db.failure(call(own, state), own);
      assertThat(second.code()).isEqualTo(ErrorCode.RAISED);
      assertThat(second).hasMessage("Out of stock");
    }
  }

  /** Its text contains internals of the routine, such as a path. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.io.IOException(\"/etc/secret not found\")",
        "IllegalStateException(\"Out of stock\")",
        "NullPointerException()",
        "StackOverflowError()",
        "OutOfMemoryError(\"heap\")"
      })
  void otherThrowable_isDatabaseErrorWithoutItsText(String thrown) {
    alias("faulty", "int f() throws Exception { throw new " + thrown + "; }");
    var bind = new Bindings();
    var failure = db.failure(call(bind), bind);
    assertThat(failure.code()).isEqualTo(ErrorCode.DATABASE_ERROR);
    assertThat(failure)
        .hasMessage("The Java code of an alias failed; the server's log has the cause")
        .hasCauseInstanceOf(SQLException.class);
  }

  /** H2's message is {@code Feature not supported: "TableView.removeRow"}. */
  @Test
  void view_notWritable_isReportedByName() {
    db.script(
        "create table log (text varchar(20)); insert into log values ('a');"
            + " create view logs as select * from log");
    var failure = db.failure(new Delete(db.table("LOGS"), null, List.of()), new Bindings());
    assertThat(failure.code()).isEqualTo(ErrorCode.UNSUPPORTED_OPERATION);
    assertThat(failure)
        .hasMessage("View 'logs' does not support this write; write to the tables that it reads");
  }

  @Test
  void invalidBody_isDatabaseErrorMissingAliasIsCatalogChanged() {
    alias(
        "wrong",
        """
        int f(java.sql.Connection c) throws java.sql.SQLException {
          return c.createStatement().executeUpdate("delete from nowhere");
        }
        """);
    var bind = new Bindings();
    var call = call(bind);
    assertThat(db.failure(call, bind).code()).isEqualTo(ErrorCode.DATABASE_ERROR);
    var prepared = db.engine().prepare(call);
    db.script("drop alias wrong");
    var sink = new CollectingSink();
    prepared.run(bind.arguments(), null, sink);
    assertThat(sink.await(EngineDriver.PATIENCE).failure())
        .extracting("code")
        .isEqualTo(ErrorCode.CATALOG_CHANGED);
  }
}
