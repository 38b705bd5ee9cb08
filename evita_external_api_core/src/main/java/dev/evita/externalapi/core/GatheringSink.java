// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.ConduitWritableByteChannel;
import org.xnio.conduits.Conduits;
import org.xnio.conduits.StreamSinkConduit;

/** A conduit all of whose ways to write lead to the writing of several buffers at once. */
abstract class GatheringSink extends AbstractStreamSinkConduit<StreamSinkConduit> {

  GatheringSink(StreamSinkConduit next) {
    super(next);
  }

  @Override
  public abstract long write(ByteBuffer[] from, int offset, int length) throws IOException;

  @Override
  public final int write(ByteBuffer from) throws IOException {
    return (int) write(new ByteBuffer[] {from}, 0, 1);
  }

  @Override
  public final int writeFinal(ByteBuffer from) throws IOException {
    return Conduits.writeFinalBasic(this, from);
  }

  @Override
  public final long writeFinal(ByteBuffer[] from, int offset, int length) throws IOException {
    return Conduits.writeFinalBasic(this, from, offset, length);
  }

  @Override
  public final long transferFrom(FileChannel from, long position, long count) throws IOException {
    return from.transferTo(position, count, new ConduitWritableByteChannel(this));
  }

  @Override
  public final long transferFrom(StreamSourceChannel from, long count, ByteBuffer through)
      throws IOException {
    return Conduits.transfer(from, count, through, this);
  }
}
