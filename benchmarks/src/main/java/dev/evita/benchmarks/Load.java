// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;

/** A program on core 1 that sends one request again and again. Whoever made it closes it. */
interface Load extends AutoCloseable {

  /** What asks, and in how many ways at once for each connection that was asked for. */
  enum Kind {
    WRK,
    /** HTTP/1.1 by h2load, one request at a time. */
    H1,
    /** The same, on eight times as many connections. */
    H1_MANY,
    /** h2c, one stream at a time. */
    H2C,
    /** h2c, eight streams at a time. */
    H2C_STREAMS,
    /** gRPC on h2c, one call at a time. */
    GRPC,
    /** gRPC on h2c, eight calls at a time. */
    GRPC_STREAMS;

    /** One request at a time on each connection: by wrk, or by h2load where that is missing. */
    static Kind closedLoop() {
      return Wrk.installed() ? WRK : H1;
    }

    Load start(int connections) throws IOException {
      return this == WRK ? new Wrk(connections) : new H2Load(this, connections);
    }
  }

  /** How many requests were answered, and how many in a second. */
  record Result(long requests, double perSecond) {}

  /**
   * Asks for some seconds, as fast as answers come.
   *
   * @throws IOException if an answer was not 2xx
   */
  Result run(int port, Ask ask, int seconds) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
