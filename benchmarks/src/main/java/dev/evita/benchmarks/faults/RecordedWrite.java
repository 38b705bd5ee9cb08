// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

/**
 * A write that a client requests: one transaction that inserts the two rows with this id. By
 * GraphQL it also increments the counter of its writer.
 *
 * @param id unique in a run
 * @param writer the thread that requests it, and the key of its counter
 * @param keyed whether it has an idempotency key, and is therefore repeated until acknowledged
 */
record RecordedWrite(String id, int writer, Protocol protocol, boolean keyed) {

  /** Rows of one operation, whose {@code part} counts from 0. */
  static final int PARTS = 2;

  /** The API by which it is requested. */
  enum Protocol {
    REST,
    GRAPHQL,
    GRPC
  }

  boolean counts() {
    return protocol == Protocol.GRAPHQL;
  }
}
