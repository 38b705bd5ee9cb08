// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;

/** A program on core 1 that sends one request again and again. Whoever made it closes it. */
interface Load extends AutoCloseable {

  /** The load generator, and its concurrent requests per requested connection. */
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
      return Programs.installed("wrk") || !Programs.installed("h2load") ? WRK : H1;
    }

    /** The program that must be installed. */
    String program() {
      return this == WRK ? "wrk" : "h2load";
    }

    Load start(int connections) throws IOException {
      return this == WRK ? new Wrk(connections) : new H2Load(this, connections);
    }
  }

  /**
   * What came of it.
   *
   * @param requests that were answered
   * @param broken connections that the server closed, of which the client was not told before
   */
  record Result(long requests, double perSecond, long broken) {

    /** For the end of a line of progress: nothing as long as there is nothing to tell. */
    String remark() {
      return broken == 0 ? "" : "  (" + broken + " connections closed by the server)";
    }
  }

  /**
   * Asks for some seconds, as fast as answers come.
   *
   * @throws IOException if an answer was not 2xx, did not come, or nobody took a connection
   */
  Result run(int port, HttpProbe ask, int seconds) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
