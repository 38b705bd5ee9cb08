// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.evita.externalapi.core.push.WebSocketParser.ViolationException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The frames of RFC 6455, section 5, valid and invalid, in pieces of any size. */
final class WebSocketParserTest {

  private static final int MAX = 100_000;
  private static final int MASK = 0x37fa213d;

  private final List<String> received = new ArrayList<>();
  private int wanted = Integer.MAX_VALUE;

  private final WebSocketParser parser =
      new WebSocketParser(
          MAX,
          new WebSocketParser.Handler() {
            @Override
            public void text(String message) {
              received.add("text " + message);
              wanted--;
            }

            @Override
            public void binary() {
              received.add("binary");
            }

            @Override
            public void ping(byte[] payload) {
              received.add("ping " + new String(payload, StandardCharsets.UTF_8));
            }

            @Override
            public void pong() {
              received.add("pong");
            }

            @Override
            public void close(int code) {
              received.add("close " + code);
            }

            @Override
            public boolean receptive() {
              return wanted > 0;
            }
          });

  private static byte[] frame(int first, byte[] payload) {
    var length = payload.length;
    var bytes = ByteBuffer.allocate(14 + length).put((byte) first);
    if (length < 126) {
      bytes.put((byte) (0x80 | length));
    } else if (length < 65_536) {
      bytes.put((byte) 0xfe).putShort((short) length);
    } else {
      bytes.put((byte) 0xff).putLong(length);
    }
    bytes.putInt(MASK);
    for (int i = 0; i < length; i++) {
      bytes.put((byte) (payload[i] ^ (MASK >>> (8 * (3 - i % 4)))));
    }
    var all = new byte[bytes.position()];
    bytes.flip().get(all);
    return all;
  }

  private static byte[] frame(int first, String payload) {
    return frame(first, payload.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] close(int code, String reason) {
    var text = reason.getBytes(StandardCharsets.UTF_8);
    var payload = ByteBuffer.allocate(2 + text.length).putShort((short) code).put(text);
    return frame(0x88, payload.array());
  }

  private static byte[] all(byte[]... frames) {
    var bytes = new ByteArrayOutputStream();
    for (var frame : frames) {
      bytes.writeBytes(frame);
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000, 1_000_000})
  void frames_anyPieceSize_areMessages(int piece) throws ViolationException {
    var large = "x".repeat(70_000);
    var bytes =
        all(
            frame(0x81, "Hello"),
            frame(0x81, ""),
            frame(0x01, "Gr\u00fc"),
            frame(0x89, "are you there"),
            frame(0x00, ""),
            frame(0x80, "\u00dfe"),
            frame(0x82, new byte[300]),
            frame(0x81, large),
            frame(0x8a, ""),
            close(1012, "restart"),
            frame(0x81, "not received"));
    for (int i = 0; i < bytes.length; i += piece) {
      parser.parse(ByteBuffer.wrap(bytes, i, Math.min(piece, bytes.length - i)));
    }
    assertThat(received)
        .containsExactly(
            "text Hello",
            "text ",
            "ping are you there",
            "text Gr\u00fc\u00dfe",
            "binary",
            "text " + large,
            "pong",
            "close 1012");
  }

  @Test
  void message_notAcceptedYet_isKept() throws ViolationException {
    wanted = 1;
    var bytes = ByteBuffer.wrap(all(frame(0x81, "one"), frame(0x81, "two")));
    parser.parse(bytes);
    assertThat(received).containsExactly("text one");
    wanted = 1;
    parser.parse(bytes);
    assertThat(received).containsExactly("text one", "text two");
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 1001, 1002, 1003, 1007, 1011, 1012, 1013, 1014, 3000, 4400, 4999})
  void close_registeredCode_isReported(int code) throws ViolationException {
    parser.parse(ByteBuffer.wrap(close(code, "")));
    assertThat(received).containsExactly("close " + code);
  }

  @Test
  void close_withoutCode_isReported() throws ViolationException {
    parser.parse(ByteBuffer.wrap(frame(0x88, "")));
    assertThat(received).containsExactly("close 1005");
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        arguments(1002, "unmasked text", new byte[] {(byte) 0x81, 1, 'a'}),
        arguments(1002, "unmasked ping", new byte[] {(byte) 0x89, 0}),
        arguments(1002, "unmasked pong", new byte[] {(byte) 0x8a, 0}),
        arguments(1002, "unmasked close", new byte[] {(byte) 0x88, 2, 3, (byte) 0xe8}),
        arguments(1002, "reserved bit 1", frame(0xc1, "a")),
        arguments(1002, "reserved bit 3", frame(0x99, "")),
        arguments(1002, "opcode 3", frame(0x83, "a")),
        arguments(1002, "opcode 11", frame(0x8b, "")),
        arguments(1002, "nothing to continue", frame(0x80, "a")),
        arguments(1002, "text in a message", all(frame(0x01, "a"), frame(0x81, "b"))),
        arguments(1002, "fragmented ping", frame(0x09, "")),
        arguments(1002, "long ping", frame(0x89, "x".repeat(126))),
        arguments(1002, "half a code", frame(0x88, "x")),
        arguments(1002, "code 0", close(0, "")),
        arguments(1002, "code 999", close(999, "")),
        arguments(1002, "code 1004", close(1004, "")),
        arguments(1002, "code 1005", close(1005, "")),
        arguments(1002, "code 1006", close(1006, "")),
        arguments(1002, "code 1015", close(1015, "")),
        arguments(1002, "code 2999", close(2999, "")),
        arguments(1002, "code 5000", close(5000, "")),
        arguments(
            1002, "length in 16 bits", new byte[] {(byte) 0x81, (byte) 0xfe, 0, 5, 0, 0, 0, 0}),
        arguments(
            1002,
            "length in 64 bits",
            new byte[] {(byte) 0x81, (byte) 0xff, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}),
        arguments(
            1002,
            "negative length",
            new byte[] {(byte) 0x81, (byte) 0xff, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}),
        arguments(1007, "no UTF-8", frame(0x81, new byte[] {(byte) 0xc3, (byte) 0x28})),
        arguments(
            1007, "surrogate", frame(0x81, new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80})),
        arguments(1007, "no UTF-8 in the reason", frame(0x88, new byte[] {3, (byte) 0xe8, -1})),
        arguments(1009, "too large", frame(0x81, new byte[MAX + 1])),
        arguments(1009, "too large by parts", all(frame(0x01, new byte[MAX]), frame(0x80, "x"))),
        arguments(
            1009,
            "announced only",
            new byte[] {(byte) 0x81, (byte) 0xff, 0x7f, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0}));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("wrong")
  void frames_violatingTheProtocol_areRejectedWithTheCode(int code, String rule, byte[] bytes) {
    assertThatThrownBy(() -> parser.parse(ByteBuffer.wrap(bytes)))
        .as(rule)
        .isInstanceOfSatisfying(
            ViolationException.class, e -> assertThat(e.code()).isEqualTo(code));
    assertThat(received).isEmpty();
  }

  @Test
  void noise_causesOnlyViolations() {
    var random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      var bytes = new byte[1 + random.nextInt(40)];
      random.nextBytes(bytes);
      try {
        new WebSocketParser(MAX, new IgnoringHandler()).parse(ByteBuffer.wrap(bytes));
      } catch (ViolationException e) {
        assertThat(e.code()).isIn(1002, 1007, 1009);
      }
    }
  }

  private static final class IgnoringHandler implements WebSocketParser.Handler {
    @Override
    public void text(String message) {}

    @Override
    public void binary() {}

    @Override
    public void ping(byte[] payload) {}

    @Override
    public void pong() {}

    @Override
    public void close(int code) {}

    @Override
    public boolean receptive() {
      return true;
    }
  }
}
