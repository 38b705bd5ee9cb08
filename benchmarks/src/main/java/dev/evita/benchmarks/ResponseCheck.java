// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/**
 * What a server answers to one request, by a client of its protocol: a wrong answer may be fast.
 */
final class ResponseCheck {

  private static final Marshaller<byte[]> BYTES =
      new Marshaller<>() {
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
      };

  private ResponseCheck() {}

  /** The body of HTTP/1.1; of gRPC how many messages came, and the last of them. */
  static String of(int port, HttpProbe ask) throws IOException, InterruptedException {
    return ask.isGrpc() ? grpc(port, ask) : http(port, ask);
  }

  private static String http(int port, HttpProbe ask) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + ask.target()))
            .version(HttpClient.Version.HTTP_1_1)
            .method(ask.method(), HttpRequest.BodyPublishers.ofString(ask.body()));
    ask.headers().forEach(request::header);
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  private static String grpc(int port, HttpProbe ask) {
    var method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodType.SERVER_STREAMING)
            .setFullMethodName(ask.target().substring(1))
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();
    var channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    try {
      var count = 0;
      var last = new byte[0];
      var answers =
          ClientCalls.blockingServerStreamingCall(
              channel, method, CallOptions.DEFAULT, ask.message());
      while (answers.hasNext()) {
        last = answers.next();
        count++;
      }
      return count + " x " + new String(last, StandardCharsets.ISO_8859_1);
    } finally {
      channel.shutdownNow();
    }
  }
}
