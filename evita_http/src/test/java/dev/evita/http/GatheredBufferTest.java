// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xnio.conduits.StreamSinkConduit;

final class GatheredBufferTest {

  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private int calls;

  /** A socket that takes so many bytes at a time. */
  private StreamSinkConduit socket(int most) {
    return (StreamSinkConduit)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {StreamSinkConduit.class},
            (proxy, method, arguments) -> {
              if (arguments[0] instanceof ByteBuffer[] several) {
                return (long) take(several[(int) arguments[1]], most);
              }
              return take((ByteBuffer) arguments[0], most);
            });
  }

  private int take(ByteBuffer bytes, int most) {
    calls++;
    var count = Math.min(most, bytes.remaining());
    for (int i = 0; i < count; i++) {
      taken.write(bytes.get());
    }
    return count;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 5, 6, 9, 100})
  void write_socketThatTakesSome_goesOnWhereItStopped(int most) throws IOException {
    var socket = socket(most);
    var from = new ByteBuffer[] {bytes("not this"), bytes("head,"), bytes(""), bytes("body")};
    var written = 0L;
    while (from[1].hasRemaining() || from[3].hasRemaining()) {
      written += GatheredBuffer.write(socket, from, 1, 3);
    }
    assertThat(taken.toString(StandardCharsets.US_ASCII)).isEqualTo("head,body");
    assertThat(written).isEqualTo(9);
    assertThat(calls).isEqualTo((9 + most - 1) / most);
    assertThat(from[0].hasRemaining()).isTrue();
  }

  @Test
  void write_large_isNotCopied() throws IOException {
    var large = ByteBuffer.allocate(8192);
    var written = GatheredBuffer.write(socket(8192), new ByteBuffer[] {large, bytes("x")}, 0, 2);
    assertThat(written).isEqualTo(8192);
    assertThat(large.hasRemaining()).isFalse();
  }
}
