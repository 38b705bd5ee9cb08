// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

/**
 * Options of a server's sockets. The operating system may treat sizes as hints. SO_REUSEPORT is
 * missing, as XNIO has no option for it.
 *
 * @param backlog connections that wait to be accepted
 * @param tcpNoDelay whether small writes are sent at once (TCP_NODELAY)
 * @param reuseAddress whether the address may be bound while old connections to it linger
 *     (SO_REUSEADDR)
 * @param receiveBufferBytes SO_RCVBUF; 0 for the system's default
 * @param sendBufferBytes SO_SNDBUF; 0 for the system's default
 */
public record SocketOptions(
    int backlog,
    boolean tcpNoDelay,
    boolean reuseAddress,
    int receiveBufferBytes,
    int sendBufferBytes) {

  /** The defaults. */
  public static final SocketOptions DEFAULT = builder().build();

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the option
   */
  public SocketOptions {
    requireAtLeast("backlog", backlog, 1);
    requireAtLeast("receiveBufferBytes", receiveBufferBytes, 0);
    requireAtLeast("sendBufferBytes", sendBufferBytes, 0);
  }

  private static void requireAtLeast(String name, int value, int min) {
    if (value < min) {
      throw new IllegalArgumentException(
          "%s is %d; expected at least %d".formatted(name, value, min));
    }
  }

  /** Returns a builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds {@link SocketOptions}. Not thread-safe. */
  public static final class Builder {

    private int backlog = 1_000;
    private boolean tcpNoDelay = true;
    private boolean reuseAddress = true;
    private int receiveBufferBytes;
    private int sendBufferBytes;

    private Builder() {}

    /** Sets the number of connections that may wait to be accepted; 1,000 by default. */
    public Builder backlog(int connections) {
      backlog = connections;
      return this;
    }

    /** Sets whether small writes are sent at once; true by default. */
    public Builder tcpNoDelay(boolean enabled) {
      tcpNoDelay = enabled;
      return this;
    }

    /** Sets whether the address may be bound while old connections linger; true by default. */
    public Builder reuseAddress(boolean enabled) {
      reuseAddress = enabled;
      return this;
    }

    /** Sets the size of the receive buffer; by default the system's. */
    public Builder receiveBufferBytes(int bytes) {
      receiveBufferBytes = bytes;
      return this;
    }

    /** Sets the size of the send buffer; by default the system's. */
    public Builder sendBufferBytes(int bytes) {
      sendBufferBytes = bytes;
      return this;
    }

    /**
     * Builds the options.
     *
     * @throws IllegalArgumentException naming the option that is out of range
     */
    public SocketOptions build() {
      return new SocketOptions(
          backlog, tcpNoDelay, reuseAddress, receiveBufferBytes, sendBufferBytes);
    }
  }
}
