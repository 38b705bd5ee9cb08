// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

/** A method of Evita's own services that takes one request, of one epoch. Thread-safe. */
public interface UnaryRequestMethod {

  /** Starts the method, which ends the reply, now or later. An exception fails the reply. */
  void run(byte[] request, CallResponse reply);
}
