// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProtoCommentsTest {

  private static final Column ID = Column.of("id", DataType.Scalar.INT32, false);

  private static Table table(String name, String comment) {
    return new Table(
        new TableName("s", name),
        Table.Kind.TABLE,
        List.of(ID),
        null,
        List.of(),
        List.of(),
        List.of(),
        comment);
  }

  @ParameterizedTest
  @CsvSource({"LOG, log, Log", "order_items, order_items, OrderItems", "t1, t1, T1"})
  void table_sameName_hasNoComment(String name, String apiName, String base) {
    assertThat(ProtoComments.of(table(name, "All."), apiName, base)).isEqualTo("All.");
  }

  @ParameterizedTest
  @CsvSource({
    "LOG, LOG, Log",
    "select, select, Select_2",
    "Select, Select, Select",
    "OrderItems, OrderItems, OrderItems",
    "order__items, order__items, OrderItems",
    "t_1, t_1, T1",
    "lines, lines, OrderItems",
    "日本, 日本, F",
  })
  void table_otherName_isInAComment(String name, String apiName, String base) {
    assertThat(ProtoComments.of(table(name, "All."), apiName, base))
        .isEqualTo("Table \"" + name + "\".\nAll.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\rb", "a\u2028b", "a\u0000b", "a\u0085b", "a\ud83db"})
  void names_andTexts_endNoLine(String hostile) {
    assertThat(ProtoComments.of(table(hostile, ""), hostile, "X"))
        .isEqualTo("Table \"a\uFFFDb\".\n");
    assertThat(ProtoComments.lines(hostile).lines())
        .allMatch(line -> line.startsWith(" "))
        .noneMatch(line -> line.matches("(?s).*[\u0000\u0085\u2028\ud83d].*"));
  }

  @Test
  void column_otherName_isWrittenBeforeItsType() {
    assertThat(ProtoComments.of(ID, "id", "id")).startsWith(ID.nativeType() + ", not null");
    assertThat(ProtoComments.of(ID, "id", "id_2"))
        .startsWith("Column \"id\".\n" + ID.nativeType() + ", not null");
    var quoted = Column.of("quo\"te", DataType.Scalar.INT32, true);
    assertThat(ProtoComments.of(quoted, "quo\"te", "quo_te")).startsWith("Column \"quo\"\"te\".\n");
  }
}
