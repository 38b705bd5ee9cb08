// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Passes messages of gRPC as they are on the wire. */
final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

  static final Bytes MARSHALLER = new Bytes();

  private Bytes() {}

  @Override
  public InputStream stream(byte[] value) {
    return new ByteArrayInputStream(value);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
