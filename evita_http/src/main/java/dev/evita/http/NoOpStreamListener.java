// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.nio.ByteBuffer;

/** The listener of a stream that nobody listens to yet. */
final class NoOpStreamListener implements HttpStream.Listener {

  static final HttpStream.Listener LISTENER = new NoOpStreamListener();

  private NoOpStreamListener() {}

  @Override
  public void received(ByteBuffer bytes, boolean last) {}

  @Override
  public void malformed(HttpFault fault) {}

  @Override
  public void sent() {}

  @Override
  public void broken() {}
}
