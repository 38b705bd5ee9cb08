// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * A snapshot of all rows of a feed at one position, shared by all subscribers that begin there, so
 * that many slow ones cost no more than one. Guarded by the feed's lock.
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
