// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * All rows of a feed as they were at one position, for those who begin there: they share it, so
 * that many who begin and read slowly cost no more than one. Under the feed's lock.
 */
final class FeedRows {

  final Map<ByteBuffer, byte[]> rows;
  final long position;
  int readers;

  FeedRows(Map<ByteBuffer, byte[]> rows, long position) {
    this.rows = rows;
    this.position = position;
  }
}
