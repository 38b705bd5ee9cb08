// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.ConnectorStatistics;
import io.undertow.server.DelegateOpenListener;
import io.undertow.server.HttpHandler;
import org.jspecify.annotations.Nullable;
import org.xnio.OptionMap;
import org.xnio.StreamConnection;

/** An Undertow listener whose connections are opened by us. */
record AlpnListener(DelegateOpenListener listener, Opener opener) implements DelegateOpenListener {

  /** Opens a connection after its handshake. */
  interface Opener {
    void open(StreamConnection connection, @Nullable PooledByteBuffer first);
  }

  @Override
  public void handleEvent(StreamConnection connection, @Nullable PooledByteBuffer first) {
    opener.open(connection, first);
  }

  @Override
  public void handleEvent(StreamConnection connection) {
    opener.open(connection, null);
  }

  @Override
  public HttpHandler getRootHandler() {
    return listener.getRootHandler();
  }

  @Override
  public void setRootHandler(HttpHandler handler) {
    listener.setRootHandler(handler);
  }

  @Override
  public OptionMap getUndertowOptions() {
    return listener.getUndertowOptions();
  }

  @Override
  public void setUndertowOptions(OptionMap options) {
    listener.setUndertowOptions(options);
  }

  @Override
  public ByteBufferPool getBufferPool() {
    return listener.getBufferPool();
  }

  @Override
  public @Nullable ConnectorStatistics getConnectorStatistics() {
    return listener.getConnectorStatistics();
  }

  @Override
  public void closeConnections() {
    listener.closeConnections();
  }
}
