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
 * The socket below HTTP/1. Writes several small buffers as one ({@link GatheredBuffer}), and
 * replaces the refusals that Undertow writes without calling the handler ({@link
 * RequestInspector#replace}). After a refusal it accepts no bytes, so that Undertow does not close
 * the connection before the client has read the response.
 */
final class GatheringSink extends AbstractStreamSinkConduit<StreamSinkConduit> {

  private final RequestInspector wire;

  GatheringSink(StreamSinkConduit next, RequestInspector wire) {
    super(next);
    this.wire = wire;
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    if (wire.awaitsHead()) {
      wire.replace(from[offset]);
      return 0;
    }
    return GatheredBuffer.write(next, from, offset, length);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    if (wire.awaitsHead()) {
      wire.replace(from);
      return 0;
    }
    return next.write(from);
  }

  @Override
  public boolean flush() throws IOException {
    return !wire.isRefused() && next.flush();
  }

  @Override
  public void resumeWrites() {
    if (!wire.isRefused()) {
      next.resumeWrites();
    }
  }

  @Override
  public void wakeupWrites() {
    if (!wire.isRefused()) {
      next.wakeupWrites();
    }
  }

  @Override
  public void terminateWrites() throws IOException {
    if (!wire.isRefused()) {
      next.terminateWrites();
    }
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
