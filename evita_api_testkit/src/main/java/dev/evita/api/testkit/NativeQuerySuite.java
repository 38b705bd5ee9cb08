// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.NativeQuery;
import dev.evita.api.TransactionOptions;
import java.util.List;
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
