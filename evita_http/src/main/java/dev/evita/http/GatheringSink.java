// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.ConduitWritableByteChannel;
import org.xnio.conduits.Conduits;
import org.xnio.conduits.StreamSinkConduit;

/**
 * The socket below HTTP/1: several small buffers are written as one ({@link Gathered}), and what
 * Undertow answers on its own is replaced ({@link RequestWire#replace}).
 */
final class GatheringSink extends AbstractStreamSinkConduit<StreamSinkConduit> {

  private final RequestWire wire;

  GatheringSink(StreamSinkConduit next, RequestWire wire) {
    super(next);
    this.wire = wire;
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    if (wire.awaitsHead()) {
      var count = 0;
      for (int i = offset; i < offset + length; i++) {
        count += wire.replace(from[i]);
      }
      return count;
    }
    return Gathered.write(next, from, offset, length);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return wire.awaitsHead() ? wire.replace(from) : next.write(from);
  }

  @Override
  public int writeFinal(ByteBuffer from) throws IOException {
    return Conduits.writeFinalBasic(this, from);
  }

  @Override
  public long writeFinal(ByteBuffer[] from, int offset, int length) throws IOException {
    return Conduits.writeFinalBasic(this, from, offset, length);
  }

  @Override
  public long transferFrom(FileChannel from, long position, long count) throws IOException {
    return from.transferTo(position, count, new ConduitWritableByteChannel(this));
  }

  @Override
  public long transferFrom(StreamSourceChannel from, long count, ByteBuffer through)
      throws IOException {
    return Conduits.transfer(from, count, through, this);
  }
}
