// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Schema;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ServiceNamesTest {

  private static TableName name(String name) {
    var parts = name.split("\\.", 2);
    return new TableName(parts[0], parts[1]);
  }

  private static Table table(TableName name) {
    return new Table(
        name,
        Table.Kind.TABLE,
        List.of(Column.of("id", DataType.Scalar.INT32, false)),
        null,
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  /** Tables as {@code schema.table}, in their order. */
  private static Catalog catalog(String... tables) {
    var names = Arrays.stream(tables).map(ServiceNamesTest::name).toList();
    var schemas =
        names.stream()
            .map(TableName::schema)
            .distinct()
            .map(schema ->
                new Schema(
                    schema,
                    names.stream()
                        .filter(each -> each.schema().equals(schema))
                        .map(ServiceNamesTest::table)
                        .toList(),
                    List.of(),
                    null))
            .toList();
    return new Catalog(1, "s", Catalog.Folding.NONE, schemas);
  }

  /** Kept names as {@code schema.table=package.Base}. */
  private static StoredTableNames kept(String... names) {
    var kept = new HashMap<TableName, ServiceName>();
    for (var each : names) {
      var parts = each.split("=", 2);
      var service = parts[1].split("\\.", 2);
      kept.put(name(parts[0]), new ServiceName(service[0], service[1]));
    }
    return new StoredTableNames(kept, Map.of());
  }

  private static String named(StoredTableNames kept, String... tables) {
    var names = ServiceNames.of(catalog(tables), kept);
    return Arrays.stream(tables)
        .map(each -> names.of(name(each)).full())
        .collect(Collectors.joining(" "));
  }

  @Test
  void nothingKept_byOrder() {
    assertThat(named(StoredTableNames.NONE, "s.LOG", "s.log", "s.zed", "s.zed_row"))
        .isEqualTo("s.Log s.Log_2 s.Zed s.ZedRow_2");
  }

  @Test
  void kept_stays() {
    assertThat(named(kept("s.log=s.Log"), "s.LOG", "s.log")).isEqualTo("s.Log_2 s.Log");
    assertThat(named(kept("s.zed_row=s.ZedRow"), "s.zed", "s.zed_row"))
        .isEqualTo("s.Zed_2 s.ZedRow");
    assertThat(named(kept("s.log=s.Entries"), "s.log", "s.entries"))
        .isEqualTo("s.Entries s.Entries_2");
    assertThat(named(kept("sa.t=sa.T"), "SA.t", "sa.t")).isEqualTo("SA_2.T sa.T");
  }

  @Test
  void nameOfADroppedTable_isNotReused() {
    assertThat(named(kept("s.log=s.Log"), "s.LOG")).isEqualTo("s.Log_2");
    assertThat(named(kept("s.log=s.Log", "s.LOG=s.Log_2"), "s.LOG", "s.log"))
        .isEqualTo("s.Log_2 s.Log");
    assertThat(named(kept("sa.t=sa.T"), "SA.t")).isEqualTo("SA_2.T");
  }

  @Test
  void keptTwice_whatIsThereHasIt() {
    assertThat(named(kept("s.log=s.Log", "s.LOG=s.Log"), "s.LOG")).isEqualTo("s.Log");
    assertThat(named(kept("s.log=s.Log", "s.LOG=s.Log"), "s.LOG", "s.log"))
        .isEqualTo("s.Log s.Log_2");
    assertThat(named(kept("s.a=old.A", "s.b=s.B"), "s.b")).isEqualTo("s.B");
  }

  @Test
  void keptByHand_isMadeAName() {
    assertThat(named(kept("s.log=s.no name"), "s.log")).isEqualTo("s.no_name");
    assertThat(named(kept("s.log=s.AnyValue"), "s.log")).isEqualTo("s.AnyValue_2");
  }

  @Test
  void numbersAlone_nameFirst() {
    var numbers =
        new StoredTableNames(Map.of(), Map.of(name("s.log"), List.of(), name("sa.t"), List.of()));
    assertThat(named(numbers, "s.LOG", "s.log", "SA.t", "sa.t"))
        .isEqualTo("s.Log_2 s.Log SA_2.T sa.T");
  }

  @Test
  void paths_looksLikeOne() {
    assertThat(ServiceNames.of(catalog("s.log"), StoredTableNames.NONE).paths())
        .allMatch(ServiceNames::isLike)
        .contains("/s.Log/Scan");
    assertThat(List.of("/s.Log", "/s/Log/Get", "/s.Log/Get/x", "/rest/a.b", "/s.Log/"))
        .noneMatch(ServiceNames::isLike);
  }
}
