// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.protocols.http2.HpackEncoder;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Encodes the header blocks of one connection, in the order in which they are sent.
 *
 * <p>Only fields whose values repeat are added to the dynamic table, and Huffman coding is not
 * used: heads of responses are short, and processor time costs more than their bytes.
 */
final class HeadEncoder {

  /** The initial size of the dynamic table; a client may require a smaller one. */
  private static final int TABLE_BYTES = 4_096;

  private static final int SMALLEST_BLOCK = 1 << 10;
  private static final HeaderMap NO_FIELDS = new HeaderMap();

  private static final Set<HttpString> INDEXED =
      Set.of(
          Headers.CONTENT_TYPE,
          Headers.CACHE_CONTROL,
          Headers.VARY,
          Headers.CONTENT_ENCODING,
          Headers.ALLOW,
          new HttpString("access-control-allow-origin"),
          new HttpString("access-control-expose-headers"),
          new HttpString("grpc-accept-encoding"),
          new HttpString("grpc-encoding"),
          new HttpString("grpc-status"));

  private static final HpackEncoder.HpackHeaderFunction POLICY =
      new HpackEncoder.HpackHeaderFunction() {
        @Override
        public boolean shouldUseIndexing(HttpString name, String value) {
          return INDEXED.contains(name);
        }

        @Override
        public boolean shouldUseHuffman(HttpString name, String value) {
          return false;
        }

        @Override
        public boolean shouldUseHuffman(HttpString name) {
          return false;
        }
      };

  private final HpackEncoder hpack = new HpackEncoder(TABLE_BYTES, POLICY);
  private ByteBuffer block = ByteBuffer.allocate(SMALLEST_BLOCK);
  private boolean tableResized;

  /** Applies the client's {@code SETTINGS_HEADER_TABLE_SIZE}. */
  void tableBytes(int most) {
    hpack.setMaxTableSize(Math.min(most, TABLE_BYTES));
    tableResized = true;
  }

  /** Encodes a head; the block is valid until the next call. */
  ByteBuffer head(int status, HeaderMap fields) {
    block.clear();
    if (tableResized) {
      fields(NO_FIELDS); // the new size must come first in the block
    }
    status(status);
    fields(fields);
    return block.flip();
  }

  /** Encodes trailers; the block is valid until the next call. */
  ByteBuffer trailers(HeaderMap fields) {
    block.clear();
    fields(fields);
    return block.flip();
  }

  /** Encodes {@code :status}, by the static table (RFC 7541, appendix A). */
  private void status(int status) {
    var indexed =
        switch (status) {
          case 200 -> 8;
          case 204 -> 9;
          case 206 -> 10;
          case 304 -> 11;
          case 400 -> 12;
          case 404 -> 13;
          case 500 -> 14;
          default -> 0;
        };
    if (indexed > 0) {
      block.put((byte) (0x80 | indexed));
      return;
    }
    block.put((byte) 8).put((byte) 3);
    block.put((byte) ('0' + status / 100));
    block.put((byte) ('0' + status / 10 % 10));
    block.put((byte) ('0' + status % 10));
  }

  private void fields(HeaderMap fields) {
    tableResized = false;
    while (hpack.encode(fields, block) == HpackEncoder.State.OVERFLOW) {
      block = ByteBuffer.allocate(2 * block.capacity()).put(block.flip());
    }
  }
}
