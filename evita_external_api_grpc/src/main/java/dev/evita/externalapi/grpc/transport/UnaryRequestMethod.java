// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

/** A method of our own that takes one request, of one epoch. Thread-safe. */
public interface UnaryRequestMethod {

  /** Begins; ends the reply, now or later. What it throws fails the reply. */
  void run(byte[] request, CallResponse reply);
}
