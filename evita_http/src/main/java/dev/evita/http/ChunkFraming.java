// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.nio.ByteBuffer;

/**
 * Validates the framing of a chunked body (RFC 9112, section 7.1) while its bytes pass by.
 *
 * <pre>
 *    .------------------------------------- DATA_LF &lt;-LF- DATA_CR &lt;--.
 *    v                                                               |
 * FIRST_DIGIT --hex--> SIZE --CR--> SIZE_LF --LF--> DATA --all read--'
 *                       | ;          ^   |
 *                       v            |   '--size 0--> TRAILER_START --CR--> END_LF --LF--> DONE
 *                     EXTENSION --CR-'                  |        ^
 *                                                   token        LF
 *                                                       v        |
 *                                       TRAILER_NAME --:--> TRAILER_VALUE --CR--> TRAILER_LF
 * </pre>
 *
 * <p>Any other byte leads to BROKEN. Undertow's own reader accepts almost any byte as the end of a
 * size and skips what it does not know: two servers in a row that skip differently see different
 * requests.
 */
final class ChunkFraming {

  /** 32 bits: more than any body that a server accepts. */
  private static final int MAX_DIGITS = 8;

  /**
   * The limit of extensions and trailers together, in bytes: they have no use here, and count
   * towards no other limit.
   */
  private static final int MAX_EXTRAS = 8 << 10;

  private enum State {
    FIRST_DIGIT,
    SIZE,
    EXTENSION,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILER_START,
    TRAILER_NAME,
    TRAILER_VALUE,
    TRAILER_LF,
    END_LF,
    DONE,
    BROKEN
  }

  private State state = State.FIRST_DIGIT;
  private long size;
  private int digits;
  private int extras;

  boolean done() {
    return state == State.DONE;
  }

  boolean broken() {
    return state == State.BROKEN;
  }

  /**
   * Checks the next bytes, without moving the buffer.
   *
   * @return the position of the body's end or of the first invalid byte; {@code to} if all bytes
   *     belong to the body
   */
  int check(ByteBuffer bytes, int from, int to) {
    var at = from;
    while (at < to && state != State.DONE) {
      if (state == State.DATA) {
        var skipped = (int) Math.min(size, to - at);
        size -= skipped;
        at += skipped;
        if (size == 0) {
          state = State.DATA_CR;
        }
        continue;
      }
      state = next(bytes.get(at));
      if (state == State.BROKEN) {
        return at;
      }
      at++;
    }
    return at;
  }

  private State next(byte b) {
    return switch (state) {
      case FIRST_DIGIT -> first(b);
      case SIZE -> size(b);
      case EXTENSION -> b == '\r' ? State.SIZE_LF : extra(isText(b), State.EXTENSION);
      case SIZE_LF -> b == '\n' ? afterSize() : State.BROKEN;
      case DATA_CR -> b == '\r' ? State.DATA_LF : State.BROKEN;
      case DATA_LF -> b == '\n' ? State.FIRST_DIGIT : State.BROKEN;
      case TRAILER_START -> b == '\r' ? State.END_LF : extra(isToken(b), State.TRAILER_NAME);
      case TRAILER_NAME -> b == ':' ? State.TRAILER_VALUE : extra(isToken(b), State.TRAILER_NAME);
      case TRAILER_VALUE -> b == '\r' ? State.TRAILER_LF : extra(isText(b), State.TRAILER_VALUE);
      case TRAILER_LF -> b == '\n' ? State.TRAILER_START : State.BROKEN;
      case END_LF -> b == '\n' ? State.DONE : State.BROKEN;
      case DATA, DONE, BROKEN -> State.BROKEN;
    };
  }

  private State first(byte b) {
    size = 0;
    digits = 0;
    return digit(b);
  }

  private State size(byte b) {
    return switch (b) {
      case '\r' -> State.SIZE_LF;
      case ';' -> State.EXTENSION;
      default -> digit(b);
    };
  }

  private State digit(byte b) {
    var value = Character.digit(b, 16);
    if (value < 0 || ++digits > MAX_DIGITS) {
      return State.BROKEN;
    }
    size = size << 4 | value;
    return State.SIZE;
  }

  private State afterSize() {
    return size == 0 ? State.TRAILER_START : State.DATA;
  }

  private State extra(boolean allowed, State then) {
    return allowed && ++extras <= MAX_EXTRAS ? then : State.BROKEN;
  }

  /**
   * Visible characters, blank, tab or obs-text: the content of a field value or a quoted string.
   */
  private static boolean isText(byte b) {
    return b < 0 || b == '\t' || (b >= ' ' && b != 0x7f);
  }

  static boolean isToken(int b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || "!#$%&'*+-.^_`|~".indexOf(b) >= 0;
  }
}
