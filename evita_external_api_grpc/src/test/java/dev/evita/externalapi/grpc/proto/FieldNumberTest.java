// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class FieldNumberTest {

  /** Fields as {@code name:type}, in their order. */
  private static List<FieldNumber> table(String... fields) {
    var table = new ArrayList<FieldNumber>();
    for (var field : fields) {
      var parts = field.split(":", 2);
      table.add(new FieldNumber(0, parts[0], parts[1], parts[1], table.size() + 1));
    }
    return table;
  }

  private static List<FieldNumber> first(String... fields) {
    return FieldNumber.advance(List.of(), table(fields));
  }

  private static String shown(List<FieldNumber> numbers) {
    return numbers.stream()
        .map(each -> (each.position() == 0 ? "-" : "") + each.name() + "=" + each.number())
        .collect(Collectors.joining(" "));
  }

  private static String after(List<FieldNumber> stored, String... fields) {
    return shown(FieldNumber.advance(stored, table(fields)));
  }

  @Test
  void first_inOrder() {
    assertThat(shown(first("a:int", "b:text"))).isEqualTo("a=1 b=2");
  }

  @Test
  void nothingChanged_equal() {
    var stored = first("a:int", "b:text");
    assertThat(FieldNumber.advance(stored, table("a:int", "b:text"))).isEqualTo(stored);
  }

  @Test
  void added_next() {
    assertThat(after(first("a:int", "b:text"), "a:int", "c:int", "b:text"))
        .isEqualTo("a=1 c=3 b=2");
  }

  @Test
  void dropped_keepsItsNumber() {
    var dropped = FieldNumber.advance(first("a:int", "b:text", "c:int"), table("a:int", "c:int"));
    assertThat(shown(dropped)).isEqualTo("a=1 c=3 -b=2");
    assertThat(after(dropped, "a:int", "c:int", "d:int")).isEqualTo("a=1 c=3 d=4 -b=2");
    assertThat(after(dropped, "a:int", "c:int", "b:text")).isEqualTo("a=1 c=3 b=2");
    assertThat(after(dropped, "a:int", "c:int", "b:int")).isEqualTo("a=1 c=3 b=4 -b=2");
  }

  @Test
  void reordered_same() {
    assertThat(after(first("a:int", "b:text", "c:int"), "c:int", "b:text", "a:int"))
        .isEqualTo("c=3 b=2 a=1");
  }

  @Test
  void renamed_same() {
    assertThat(after(first("a:int", "b:text", "c:int"), "a:int", "x:text", "c:int"))
        .isEqualTo("a=1 x=2 c=3");
    assertThat(after(first("a:int", "b:text", "c:int"), "x:int", "y:text", "c:int"))
        .isEqualTo("x=1 y=2 c=3");
  }

  @Test
  void renamed_andAnotherAdded_same() {
    assertThat(after(first("a:int", "b:text", "c:int"), "a:int", "x:text", "c:int", "d:int"))
        .isEqualTo("a=1 x=2 c=3 d=4");
  }

  @Test
  void replacedByAnotherType_isNotRenamed() {
    assertThat(after(first("a:int", "b:text", "c:int"), "a:int", "x:int", "c:int"))
        .isEqualTo("a=1 x=4 c=3 -b=2");
  }

  @Test
  void droppedAndAddedElsewhere_isNotRenamed() {
    assertThat(after(first("a:int", "b:int", "c:int"), "a:int", "c:int", "x:int"))
        .isEqualTo("a=1 c=3 x=4 -b=2");
  }

  @Test
  void otherType_ofTheSameWire_same() {
    var stored = List.of(new FieldNumber(7, "a", "integer", "int", 1));
    var wider = List.of(new FieldNumber(0, "a", "integer", "bigint", 1));
    assertThat(shown(FieldNumber.advance(stored, wider))).isEqualTo("a=7");
  }

  @Test
  void numbersOfProtobufsOwn_areLeftOut() {
    var stored = List.of(new FieldNumber(18_999, "a", "int", "int", 1));
    assertThat(after(stored, "a:int", "b:int")).isEqualTo("a=18999 b=20000");
  }
}
