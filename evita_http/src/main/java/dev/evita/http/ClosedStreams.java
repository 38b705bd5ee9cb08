// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

/**
 * Records how recent streams ended, as the response to a late frame depends on it (RFC 9113,
 * section 5.1). Keeps the newest {@link #MAX_SIZE} stream numbers; grows with the connection.
 */
final class ClosedStreams {

  /** How a stream ended. */
  enum End {
    /** Unknown: never opened, or too long ago. */
    UNKNOWN(0),
    /** Both sides have sent END_STREAM. */
    COMPLETE(1),
    /** Reset by the client. */
    RESET_BY_PEER(2),
    /** Reset by this server: frames of the client may be in flight. */
    RESET_BY_US(3);

    private final int code;

    End(int code) {
      this.code = code;
    }
  }

  private static final End[] END_BY_CODE = {
    End.UNKNOWN, End.COMPLETE, End.RESET_BY_PEER, End.RESET_BY_US
  };

  private static final int MIN_SIZE = 32;

  /** Twice the streams of a connection, so that all streams in flight are recorded. */
  private static final int MAX_SIZE = 2 * Integer.highestOneBit(2 * Http2Connection.MAX_STREAMS);

  /**
   * Indexed by half the stream's number: that number, whose lowest bit is always set, and the end.
   */
  private long[] slots = new long[0];

  void add(int stream, End end) {
    var needed = Math.min(Integer.highestOneBit((stream >>> 1) | 1) << 1, MAX_SIZE);
    if (needed > slots.length) {
      grow(Math.max(needed, MIN_SIZE));
    }
    slots[slot(stream)] = (long) stream << 2 | end.code;
  }

  private void grow(int size) {
    var before = slots;
    slots = new long[size];
    for (var each : before) {
      if (each != 0) {
        slots[slot((int) (each >>> 2))] = each;
      }
    }
  }

  private int slot(int stream) {
    return (stream >>> 1) & (slots.length - 1);
  }

  End of(int stream) {
    if (slots.length == 0) {
      return End.UNKNOWN;
    }
    var found = slots[slot(stream)];
    return found >>> 2 == stream ? END_BY_CODE[(int) (found & 3)] : End.UNKNOWN;
  }
}
