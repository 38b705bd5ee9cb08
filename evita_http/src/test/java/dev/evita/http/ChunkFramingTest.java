// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChunkFramingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0\r\n\r\n",
        "3\r\nabc\r\n0\r\n\r\n",
        "a\r\n0123456789\r\n1\r\n\n\r\n0\r\n\r\n",
        "3;a=\"b c\";d\r\nabc\r\n0;x\r\nA: b\r\nC:\r\n\r\n"
      })
  void body_splitAnywhere_endIsFound(String body) {
    var bytes = bytes(body + "GET / HTTP/1.1");
    for (int cut = 0; cut <= body.length(); cut++) {
      var framing = new ChunkFraming();
      assertThat(framing.check(bytes, 0, cut)).isEqualTo(cut);
      assertThat(framing.done()).isEqualTo(cut == body.length());
      assertThat(framing.check(bytes, cut, bytes.limit())).isEqualTo(body.length());
      assertThat(framing.done()).isTrue();
      assertThat(framing.broken()).isFalse();
    }
    assertThat(bytes.position()).isZero();
  }

  @Test
  void body_malformed_stopsAtTheInvalidByte() {
    var framing = new ChunkFraming();
    assertThat(framing.check(bytes("3\r\nabcX"), 0, 7)).isEqualTo(6);
    assertThat(framing.broken()).isTrue();
    assertThat(framing.done()).isFalse();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
