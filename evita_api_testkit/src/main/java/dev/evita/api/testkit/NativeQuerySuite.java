// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.InsertRows;
import dev.evita.api.NativeQuery;
import dev.evita.api.Parameter;
import dev.evita.api.TransactionOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Statements in SQL over one row of input. */
interface NativeQuerySuite extends EngineSuite {

  private NativeQuery query(String text, boolean readOnly, Bindings bind) {
    var id = new NativeQuery.Input("id", DataType.Scalar.INT64, bind.value(2L));
    return new NativeQuery(text, "request", List.of(id), readOnly);
  }

  @Test
  default void nativeQuery_readsItsInput() {
    var bind = new Bindings();
    var query =
        query(
            "select \"name\" from request join \"brands\" on \"brands\".\"id\" = request.id",
            true,
            bind);
    assertThat(db().rows(query, bind)).hasSize(1);
    assertThat(db().engine().prepare(query).shape().slots()).hasSize(1);
  }

  /** Nulls, texts that need escapes, and bytes, in one of many rows. */
  @Test
  default void nativeQuery_readsManyRowsOfInput() {
    var bind = new Bindings();
    var inputs =
        List.of(
            new NativeQuery.Input("id", DataType.Scalar.INT64, new Parameter(0)),
            new NativeQuery.Input("label", DataType.Scalar.TEXT, new Parameter(1)),
            new NativeQuery.Input("content", DataType.Scalar.BINARY, new Parameter(2)));
    var query =
        new NativeQuery(
                "select id, label, content from request order by id", "request", inputs, true)
            .overRows();
    var all =
        new InsertRows(
            List.of(
                new @Nullable Object[] {1L, "a \"b\" \\ 'c' ü", new byte[] {0, 1, -1}},
                new @Nullable Object[] {2L, null, null},
                new @Nullable Object[] {3L, "", new byte[0]}));
    bind.value(all);
    var rows = db().rows(query, bind);
    assertThat(rows).hasSize(3);
    assertThat(rows.get(0).subList(0, 2)).containsExactly(1L, "a \"b\" \\ 'c' ü");
    assertThat((byte[]) rows.get(0).get(2)).containsExactly(0, 1, -1);
    assertThat(rows.get(1)).isEqualTo(row(2L, null, null));
    assertThat(rows.get(2).subList(0, 2)).containsExactly(3L, "");
  }

  @Test
  default void nativeQuery_writesByManyRowsOfInput() {
    var bind = new Bindings();
    var id = new NativeQuery.Input("id", DataType.Scalar.INT64, new Parameter(0));
    var text =
        "insert into \"items\" (\"id\", \"code\", \"quantity\") select id + 900, 'many' || id, 1 from request;"
            + " update \"items\" set \"quantity\" = 2 where \"id\" in (select id + 900 from request);"
            + " select \"id\", \"quantity\" from \"items\" where \"id\" in (select id + 900 from request)"
            + " order by \"id\"";
    var query = new NativeQuery(text, "request", List.of(id), false).overRows();
    bind.value(new InsertRows(List.of(new Object[] {1L}, new Object[] {2L})));
    var transaction = db().begin(TransactionOptions.DEFAULT);
    assertThat(db().rows(query, bind, transaction)).containsExactly(row(901L, 2L), row(902L, 2L));
    EngineDriver.await(transaction.rollback());
  }

  @Test
  default void nativeQuery_writesInATransaction() {
    var bind = new Bindings();
    var text =
        "insert into \"items\" (\"id\", \"code\", \"quantity\") select id + 900, 'native', 1 from request;"
            + " select \"code\" from \"items\" where \"id\" = (select id + 900 from request)";
    var query = query(text, false, bind);
    var transaction = db().begin(TransactionOptions.DEFAULT);

    assertThat(db().rows(query, bind, transaction)).containsExactly(row("native"));
    EngineDriver.await(transaction.rollback());
    assertThat(db().failure(query, bind).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
  }

  @Test
  default void nativeQuery_thatDoesNotCompile_isRefusedWithItsLine() {
    var bind = new Bindings();
    var query = query("\nselect \"name\" from \"nowhere\"", true, bind);
    var failure = db().failure(query, bind);
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_SCRIPT);
    assertThat(failure.publicMessage()).startsWith("line 2: ");
  }
}
