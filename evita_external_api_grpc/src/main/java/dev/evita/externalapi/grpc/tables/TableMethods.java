// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.grpc.transport.MessageReader;
import dev.evita.externalapi.grpc.transport.RequestListener;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerMethodDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The methods of tables, as gRPC calls them: their messages are bytes until an epoch reads them.
 */
public final class TableMethods {

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] bytes) {
          return new MessageReader.Bytes(bytes);
        }

        @Override
        public byte[] parse(InputStream stream) {
          if (stream instanceof MessageReader.Bytes bytes) {
            return bytes.whole();
          }
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private TableMethods() {}

  /**
   * The method of a path without its first slash.
   *
   * @return null where the tables have none
   */
  public static @Nullable ServerMethodDefinition<byte[], byte[]> definition(
      TableServices tables, String path, BackgroundWork background, RequestListener.Finder finder) {
    var method = tables.method(path);
    if (method != null) {
      var type = path.endsWith("/Scan") || path.endsWith("/Watch");
      return ServerMethodDefinition.create(
          descriptor(path, type ? MethodType.SERVER_STREAMING : MethodType.UNARY),
          (call, headers) -> new RequestListener(call, path, method, background, finder));
    }
    return tables.inserts(path)
        ? ServerMethodDefinition.create(
            descriptor(path, MethodType.CLIENT_STREAMING),
            (call, headers) -> tables.inserting(path, call))
        : null;
  }

  /** A method whose messages are bytes. */
  public static MethodDescriptor<byte[], byte[]> descriptor(String path, MethodType type) {
    return MethodDescriptor.newBuilder(BYTES, BYTES).setFullMethodName(path).setType(type).build();
  }
}
