// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OperationTest {

  private static final TableName TABLE = new TableName("main", "products");

  private static Select select() {
    return Select.of(TABLE, List.of(new Output.Column("id")));
  }

  @Test
  void operations_compareByValue() {
    var filter = new Filter.Compare("id", Comparison.EQUAL, new Parameter(0));
    assertThat(select().where(filter)).isEqualTo(select().where(filter));
    assertThat(select().where(filter)).isNotEqualTo(select());
    assertThat(select().hashCode()).isEqualTo(select().hashCode());
  }

  @Test
  void withMethods_changeOnlyTheirComponent() {
    var select =
        select()
            .where(new Filter.IsNull("a"))
            .orderBy(List.of(Order.ascending("b")))
            .distinctOn(List.of("c"))
            .groupBy(List.of("d"))
            .limit(new Parameter(1))
            .offset(new Parameter(2))
            .after(List.of(new Parameter(3)))
            .before(List.of(new Parameter(4)));
    assertThat(select)
        .isEqualTo(
            new Select(
                TABLE,
                List.of(new Output.Column("id")),
                new Filter.IsNull("a"),
                List.of(Order.ascending("b")),
                List.of("c"),
                List.of("d"),
                new Parameter(1),
                new Parameter(2),
                List.of(new Parameter(3)),
                List.of(new Parameter(4))));
  }

  @Test
  void operations_copyTheirCollections() {
    var outputs = new ArrayList<Output>(List.of(new Output.Column("id")));
    var select = Select.of(TABLE, outputs);
    outputs.clear();
    assertThat(select.outputs()).hasSize(1);
  }

  @Test
  void arguments_areReturnedByIndex() {
    var arguments = Arguments.of("a", null, 3);
    assertThat(arguments.get(new Parameter(0))).isEqualTo("a");
    assertThat(arguments.get(new Parameter(1))).isNull();
    assertThat(arguments.size()).isEqualTo(3);
    assertThat(arguments).hasToString("[a, null, 3]");
    assertThat(Arguments.NONE.size()).isZero();
  }
}
