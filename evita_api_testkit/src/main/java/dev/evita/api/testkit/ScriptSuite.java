// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.api.RowShape;
import dev.evita.api.Script;
import dev.evita.api.TransactionOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statements in the engine's own language. */
interface ScriptSuite extends EngineSuite {

  @Test
  default void script_returnsTheRowsOfItsLastStatement() {
    assertThat(
            db().script(
                    "insert into \"items\" (\"id\", \"code\", \"quantity\") values (1, 'a', 1);"
                        + " select \"name\" from \"brands\";"
                        + " select \"id\", \"code\" from \"items\""))
        .containsExactly(row(1, "a"));
  }

  @Test
  default void script_endingInAWrite_returnsOnlyTheCount() {
    var script =
        Script.of(
            "select \"name\" from \"brands\";"
                + " insert into \"items\" (\"id\", \"code\", \"quantity\")"
                + " values (1, 'a', 1), (2, 'b', 1)");
    var sink = db().run(script, new Bindings().arguments(), null);
    assertThat(sink.failure()).isNull();
    assertThat(sink.rows()).isEmpty();
    assertThat(sink.affected()).isEqualTo(2);
  }

  @Test
  default void script_parameters_areInTextOrder() {
    assertThat(
            db().script(
                    "insert into \"items\" (\"id\", \"code\", \"quantity\") values (?, ?, ?);"
                        + " update \"items\" set \"note\" = '?; --' where \"code\" = ?;"
                        + " select \"note\", \"quantity\" from \"items\" where \"id\" = ?",
                    1,
                    "a",
                    5,
                    "a",
                    1))
        .containsExactly(row("?; --", 5));
  }

  @Test
  default void script_splitsOnlyAtRealSemicolons() {
    assertThat(
            db().script(
                    """
                    -- a comment; with a semicolon and a 'quote
                    /* another; one */
                    insert into "items" ("id", "code", "quantity", "note")
                      values (1, 'a;b', 1, 'it''s; fine');
                    select "note" as "a;b" from "items";
                    ;
                    """))
        .containsExactly(row("it's; fine"));
  }

  @Test
  default void script_namesItsColumnsInTheShape() {
    var sink =
        db().run(
                Script.of("select \"id\" as \"number\", \"name\" from \"brands\" where \"id\" = 1"),
                new Bindings().arguments(),
                null);
    assertThat(sink.execution().shape().slots())
        .extracting(RowShape.Slot::name)
        .containsExactly("number", "name");
    assertThat(sink.maps()).hasSize(1);
  }

  @Test
  default void ddl_isInTheCatalogAtOnce() {
    var before = db().catalog();
    db().script("create table \"passing\" (\"id\" integer)");
    var during = db().catalog();
    assertThat(during.epoch()).isGreaterThan(before.epoch());
    assertThat(during.table(db().table("passing"))).isPresent();
    db().script("drop table \"passing\"");
    assertThat(db().catalog().epoch()).isGreaterThan(during.epoch());
    assertThat(db().catalog().table(db().table("passing"))).isEmpty();
  }

  @Test
  default void failingScript_isReportedOnceAndTheEngineContinues() {
    for (int round = 0; round < 50; round++) {
      assertThat(db().scriptFailure("select * from \"nowhere\"").code())
          .isEqualTo(ErrorCode.INVALID_SCRIPT);
    }
    assertThat(db().column(select("brands", "id"))).hasSize(3);
  }

  @Test
  default void script_preparedShapeIsNone() {
    assertThat(db().prepare(Script.of("select 1")).shape()).isEqualTo(RowShape.NONE);
  }

  @Test
  default void script_empty_isCompletedWithoutRows() {
    assertThat(db().script("")).isEmpty();
    assertThat(db().script(" ; -- nothing\n")).isEmpty();
  }

  @Test
  default void invalidStatement_isInvalidScript() {
    for (var text :
        List.of(
            "selekt 1",
            "select * from \"nowhere\"",
            // without quotes: SQLite takes an unknown quoted name for a text
            "select nothing from \"brands\"",
            "insert into \"brands\" (")) {
      assertThat(db().scriptFailure(text).code()).as(text).isEqualTo(ErrorCode.INVALID_SCRIPT);
    }
  }

  @Test
  default void failingScript_isAtomicOnlyInATransaction() {
    var text =
        "insert into \"items\" (\"id\", \"code\", \"quantity\") values (1, 'a', 1);"
            + " insert into \"items\" (\"id\", \"code\", \"quantity\") values (1, 'a', 1)";
    var transaction = db().begin(TransactionOptions.DEFAULT);
    assertThat(db().failure(Script.of(text), new Bindings(), transaction).code())
        .isEqualTo(ErrorCode.UNIQUE_VIOLATION);
    EngineDriver.await(transaction.rollback());
    assertThat(db().column(select("items", "id"))).isEmpty();
  }

  @Test
  default void divisionByZero_isInvalidData() {
    var text = "select 1 / (\"id\" - 1) from \"brands\" where \"id\" = 1";
    if (!supports(EngineBehavior.ARITHMETIC_ERRORS)) {
      assertThat(db().script(text)).containsExactly(row((Object) null));
      return;
    }
    assertThat(db().scriptFailure(text).code()).isEqualTo(ErrorCode.INVALID_DATA);
  }
}
