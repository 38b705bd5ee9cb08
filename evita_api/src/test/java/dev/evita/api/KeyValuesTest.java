// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KeyValuesTest {

  private static Table table(DataType... keys) {
    var columns = new ArrayList<Column>();
    for (int i = 0; i < keys.length; i++) {
      columns.add(Column.of("k" + i, keys[i], false));
    }
    var names = columns.stream().map(Column::name).toList();
    return new Table(
        new TableName("s", "t"),
        Table.Kind.TABLE,
        columns,
        names.isEmpty() ? null : new Key("pk", names),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  @Test
  void integers_ofAnyClass_areEqualKeys() {
    var table = table(DataType.Scalar.INT32);
    var key = new KeyValues(List.of(5L));
    for (var value : List.of(5, 5L, (short) 5)) {
      assertThat(KeyValues.of(table, Map.of("k0", value)::get)).contains(key);
    }
  }

  @Test
  void uuids_areKeys() {
    var uuid = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
    assertThat(KeyValues.of(table(DataType.Scalar.UUID), Map.of("k0", uuid)::get))
        .contains(new KeyValues(List.of(uuid)));
  }

  /** Two different values may be the same key to the database. */
  @ParameterizedTest
  @EnumSource(
      value = DataType.Scalar.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"INT16", "INT32", "INT64", "UUID"})
  void otherTypes_haveNoKnownKey(DataType.Scalar type) {
    for (Object value : List.of(5L, "a", new BigDecimal("1.0"))) {
      assertThat(KeyValues.of(table(type), Map.of("k0", value)::get)).isEmpty();
    }
  }

  @Test
  void missingValues_haveNoKnownKey() {
    assertThat(KeyValues.of(table(), column -> 1)).isEmpty();
    var table = table(DataType.Scalar.INT32, DataType.Scalar.INT64);
    assertThat(KeyValues.of(table, Map.of("k0", 1)::get)).isEmpty();
    assertThat(KeyValues.of(table, Map.of("k0", 1, "k1", InsertRows.DEFAULT)::get)).isEmpty();
    assertThat(KeyValues.of(table, Map.of("k0", 1, "k1", 2)::get))
        .contains(new KeyValues(List.of(1L, 2L)));
  }

  @Test
  void filter_forcingOneKey_requiresIt() {
    var table = table(DataType.Scalar.INT32);
    var equal = new Filter.Compare("k0", Comparison.EQUAL, new Parameter(0));
    var greater = new Filter.Compare("k0", Comparison.GREATER, new Parameter(0));
    var five = Arguments.of(5);
    var key = new KeyValues(List.of(5L));
    assertThat(KeyValues.required(table, equal, five)).contains(key);
    var narrowed = new Filter.And(List.of(greater, new Filter.And(List.of(equal))));
    assertThat(KeyValues.required(table, narrowed, five)).contains(key);
    for (var other :
        List.of(greater, new Filter.Not(equal), new Filter.Or(List.of(equal, greater)))) {
      assertThat(KeyValues.required(table, other, five)).isEmpty();
    }
    assertThat(KeyValues.required(table, null, five)).isEmpty();
    assertThat(KeyValues.required(table, equal, Arguments.of((Object) null))).isEmpty();
  }
}
