// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Written messages are read by protobuf's own parser. */
final class WireWriterTest {

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 127, 128, 300, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE})
  void integer(long value) throws IOException {
    var in = CodedInputStream.newInstance(new WireWriter().integer(536_870_911, value).take());
    assertThat(WireFormat.getTagFieldNumber(in.readTag())).isEqualTo(536_870_911);
    assertThat(in.readInt64()).isEqualTo(value);
    assertThat(in.isAtEnd()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, 0.1, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE})
  void real(double value) throws IOException {
    var bytes = new WireWriter().real(1, value).real(2, (float) value).bool(3, true).take();
    var in = CodedInputStream.newInstance(bytes);
    in.readTag();
    assertThat(Double.compare(in.readDouble(), value)).isZero();
    in.readTag();
    assertThat(Float.compare(in.readFloat(), (float) value)).isZero();
    in.readTag();
    assertThat(in.readBool()).isTrue();
  }

  @Test
  void strings_ofAllLengthsAndLetters() throws IOException {
    var random = new Random(42);
    for (int length = 0; length < 400; length++) {
      var ascii = "x".repeat(length);
      var any =
          random
              .ints(length, 0, 0x3000)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      var in =
          CodedInputStream.newInstance(new WireWriter().string(1, ascii).string(2, any).take());
      in.readTag();
      assertThat(in.readStringRequireUtf8()).isEqualTo(ascii);
      in.readTag();
      assertThat(in.readStringRequireUtf8()).isEqualTo(any);
      assertThat(in.isAtEnd()).isTrue();
    }
  }

  @Test
  void halfOfAPair_isNoInvalidUtf8() throws IOException {
    var in = CodedInputStream.newInstance(new WireWriter().string(1, "a\uD800b").take());
    in.readTag();
    assertThat(in.readStringRequireUtf8()).isEqualTo("a?b");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 120, 127, 128, 16_383, 16_384, 3_000_000})
  void messageWithin_ofAnyLength(int length) throws IOException {
    var writer = new WireWriter();
    var begun = writer.begin(7);
    var inner = "y".repeat(length).getBytes(StandardCharsets.US_ASCII);
    writer.binary(1, inner);
    writer.end(begun);
    writer.integer(8, 5);
    var in = CodedInputStream.newInstance(writer.take());
    in.readTag();
    var limit = in.pushLimit(in.readRawVarint32());
    in.readTag();
    assertThat(in.readByteArray()).isEqualTo(inner);
    assertThat(in.isAtEnd()).isTrue();
    in.popLimit(limit);
    in.readTag();
    assertThat(in.readInt64()).isEqualTo(5);
  }
}
