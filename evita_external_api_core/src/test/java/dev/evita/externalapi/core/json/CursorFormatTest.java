// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.DataType;
import dev.evita.api.EvitaException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CursorFormatTest {

  private static final CursorFormat FORMAT =
      new CursorFormat(7, List.of(DataType.Scalar.INT64, DataType.Scalar.TEXT));

  @Test
  void decode_encodedPosition_returnsIt() {
    var position = Arrays.<Object>asList(5L, "ö, \"x\"");
    assertThat(FORMAT.decode(FORMAT.encode(position))).isEqualTo(position);
    var withNull = Arrays.<Object>asList(null, "");
    assertThat(FORMAT.decode(FORMAT.encode(withNull))).isEqualTo(withNull);
  }

  @Test
  void decode_cursorOfAnotherOrder_isRejected() {
    var cursor = new CursorFormat(8, FORMAT.types()).encode(List.of(5L, "a"));
    assertThatThrownBy(() -> FORMAT.decode(cursor))
        .isInstanceOf(EvitaException.class)
        .hasMessageContaining("another order");
  }

  @Test
  void decode_anyModifiedCharacter_isRejected() {
    var cursor = FORMAT.encode(List.of(5L, "abc"));
    for (int i = 0; i < cursor.length() - 1; i++) {
      var other = cursor.charAt(i) == 'A' ? 'B' : 'A';
      var modified = cursor.substring(0, i) + other + cursor.substring(i + 1);
      assertThatThrownBy(() -> FORMAT.decode(modified)).isInstanceOf(EvitaException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "AA", "???", "AAAAAAAAAAAAAAAAAAAAAA"})
  void decode_garbage_isRejected(String cursor) {
    assertThatThrownBy(() -> FORMAT.decode(cursor)).isInstanceOf(EvitaException.class);
  }
}
