// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Escapes and encodes the content of JSON strings. */
final class JsonStrings {

  /** The most bytes of one UTF-16 unit: an escape such as {@code \u001f}. */
  static final int WIDEST = 6;

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** The length from which on encoding a whole string is faster than encoding each character. */
  private static final int LONG = 16;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private JsonStrings() {}

  /**
   * Writes a string's characters; an unpaired surrogate becomes U+FFFD.
   *
   * @param into with room for {@link #WIDEST} bytes for each character
   * @return the position after them
   */
  static int write(String value, byte[] into, int position) {
    var plain =
        value.length() < LONG ? plain(value, into, position) : plainOfLong(value, into, position);
    return plain == value.length()
        ? position + plain
        : characters(value, plain, into, position + plain);
  }

  /**
   * Copies the prefix that needs neither escapes nor multi-byte encoding, and returns its length.
   */
  private static int plain(String value, byte[] into, int position) {
    var length = value.length();
    for (int i = 0; i < length; i++) {
      var c = value.charAt(i);
      if (c < ' ' || c >= 0x80 || c == '"' || c == '\\') {
        return i;
      }
      into[position + i] = (byte) c;
    }
    return length;
  }

  /** The same for long strings: the JDK encodes a whole string faster than single characters. */
  private static int plainOfLong(String value, byte[] into, int position) {
    if (value.charAt(0) >= 0x80) {
      return 0;
    }
    var bytes = value.getBytes(StandardCharsets.UTF_8);
    var plain = plain(bytes);
    System.arraycopy(bytes, 0, into, position, plain);
    return plain;
  }

  /**
   * The number of leading bytes that JSON accepts unescaped: in whole words, or all. A question
   * mark is excluded, as the JDK writes it for characters that it cannot encode.
   */
  private static int plain(byte[] bytes) {
    var words = bytes.length & -Long.BYTES;
    for (int i = 0; i < words; i += Long.BYTES) {
      if (hasSpecial((long) WORD.get(bytes, i))) {
        return i;
      }
    }
    for (int i = words; i < bytes.length; i++) {
      var b = bytes[i];
      if (b < ' ' || b == '"' || b == '\\' || b == '?') {
        return i;
      }
    }
    return bytes.length;
  }

  /**
   * Tests eight bytes at once: subtracting n from a byte below n borrows from its top bit (<em>Bit
   * Twiddling Hacks</em>, "Determine if a word has a byte less than n"), and a byte is equal to
   * another if their difference is below one.
   */
  private static boolean hasSpecial(long word) {
    var control = word - each(' ');
    var quote = (word ^ each('"')) - each((char) 1);
    var backslash = (word ^ each('\\')) - each((char) 1);
    var question = (word ^ each('?')) - each((char) 1);
    return ((word | control | quote | backslash | question) & each((char) 0x80)) != 0;
  }

  private static long each(char ascii) {
    return ascii * 0x0101010101010101L;
  }

  private static int characters(String value, int from, byte[] into, int start) {
    var position = start;
    var length = value.length();
    for (int i = from; i < length; i++) {
      var c = value.charAt(i);
      if (c < 0x80) {
        position = ascii(c, into, position);
      } else if (c < 0x800) {
        into[position++] = (byte) (0xc0 | (c >> 6));
        into[position++] = (byte) (0x80 | (c & 0x3f));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < length
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        position = fourBytes(Character.toCodePoint(c, value.charAt(++i)), into, position);
      } else {
        position = threeBytes(Character.isSurrogate(c) ? '\ufffd' : c, into, position);
      }
    }
    return position;
  }

  private static int ascii(char c, byte[] into, int start) {
    var position = start;
    if (c >= ' ' && c != '"' && c != '\\') {
      into[position++] = (byte) c;
      return position;
    }
    into[position++] = '\\';
    switch (c) {
      case '"', '\\' -> into[position++] = (byte) c;
      case '\n' -> into[position++] = 'n';
      case '\r' -> into[position++] = 'r';
      case '\t' -> into[position++] = 't';
      case '\b' -> into[position++] = 'b';
      case '\f' -> into[position++] = 'f';
      default -> {
        into[position++] = 'u';
        into[position++] = '0';
        into[position++] = '0';
        into[position++] = HEX[c >> 4];
        into[position++] = HEX[c & 0xf];
      }
    }
    return position;
  }

  private static int threeBytes(char c, byte[] into, int start) {
    into[start] = (byte) (0xe0 | (c >> 12));
    into[start + 1] = (byte) (0x80 | ((c >> 6) & 0x3f));
    into[start + 2] = (byte) (0x80 | (c & 0x3f));
    return start + 3;
  }

  private static int fourBytes(int codePoint, byte[] into, int start) {
    into[start] = (byte) (0xf0 | (codePoint >> 18));
    into[start + 1] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
    into[start + 2] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
    into[start + 3] = (byte) (0x80 | (codePoint & 0x3f));
    return start + 4;
  }
}
