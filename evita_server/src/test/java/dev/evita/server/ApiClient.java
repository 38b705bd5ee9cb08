// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import com.google.protobuf.Any;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes and reads the table {@code pets(id, name)} by each API. It never retries by itself. */
final class ApiClient implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The API of a request. */
  enum Api {
    REST,
    GRAPHQL,
    GRAPHQL_RESPONSE,
    GRPC
  }

  /**
   * A response.
   *
   * @param status of HTTP, or of gRPC by its name
   * @param code its error code, or nothing
   * @param body or description
   * @param replayed whether it is marked as replayed
   * @param retryAfter whether it has Retry-After
   */
  record Answer(String status, String code, String body, boolean replayed, boolean retryAfter) {

    boolean isGood() {
      return code.isEmpty() && (status.startsWith("2") || status.equals("OK"));
    }
  }

  private final URI base;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ManagedChannel channel;

  ApiClient(URI base) {
    this.base = base;
    channel =
        NettyChannelBuilder.forAddress(base.getHost(), base.getPort())
            .usePlaintext()
            .disableRetry()
            .build();
  }

  /** Returns UP, or the code of the reason why the server is not ready. */
  String readiness() {
    var answer = send(HttpRequest.newBuilder(base.resolve("/system/readiness")).build());
    return answer.status().equals("200") ? "UP" : answer.code();
  }

  /** Reads all pets. */
  Answer read(Api api) {
    return switch (api) {
      case REST -> send(HttpRequest.newBuilder(base.resolve("/rest/pets")).build());
      case GRAPHQL, GRAPHQL_RESPONSE -> graphQl(api, "{ pets { id name } }", null);
      case GRPC -> call(QUERY, query(), null);
    };
  }

  /** Inserts a pet, with or without an idempotency key. */
  Answer insert(Api api, int id, @Nullable String key) {
    return switch (api) {
      case REST -> {
        var request =
            HttpRequest.newBuilder(base.resolve("/rest/pets"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"id\":%d,\"name\":\"Rex\"}".formatted(id)));
        yield send(withKey(request, key).build());
      }
      case GRAPHQL, GRAPHQL_RESPONSE ->
          graphQl(
              api,
              "mutation { insert_pets_one(object: {id: %d, name: \"Rex\"}) { id } }".formatted(id),
              key);
      case GRPC -> call(MUTATE, mutation(id), key);
    };
  }

  Answer graphQl(Api api, String document, @Nullable String key) {
    var request =
        HttpRequest.newBuilder(
            GraphQlRequest.of(base.resolve("/graphql"), document), (n, v) -> true);
    if (api == Api.GRAPHQL_RESPONSE) {
      request.header("Accept", "application/graphql-response+json");
    }
    return send(withKey(request, key).build());
  }

  private static HttpRequest.Builder withKey(HttpRequest.Builder request, @Nullable String key) {
    return key == null ? request : request.header("Idempotency-Key", key);
  }

  /** Sends any request. */
  Answer send(HttpRequest request) {
    try {
      HttpResponse<String> answer =
          http.sendAsync(request, BodyHandlers.ofString())
              .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      return new Answer(
          String.valueOf(answer.statusCode()),
          code(answer.body()),
          answer.body(),
          answer.headers().firstValue("Idempotent-Replayed").isPresent(),
          answer.headers().firstValue("Retry-After").isPresent());
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no answer to " + request, e);
    }
  }

  private static String code(String body) {
    var code = Pattern.compile("\"(?:error|code)\":\\s*\"([A-Z]+(?:_[A-Z]+)*)\"").matcher(body);
    return code.find() ? code.group(1) : "";
  }

  // ---- gRPC ----

  private static final MethodDescriptor<byte[], byte[]> QUERY =
      method("Query", MethodDescriptor.MethodType.SERVER_STREAMING);
  private static final MethodDescriptor<byte[], byte[]> MUTATE =
      method("Mutate", MethodDescriptor.MethodType.UNARY);

  private static MethodDescriptor<byte[], byte[]> method(
      String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.newBuilder(Bytes.MARSHALLER, Bytes.MARSHALLER)
        .setType(type)
        .setFullMethodName("evita.v1.Database/" + name)
        .build();
  }

  private Answer call(
      MethodDescriptor<byte[], byte[]> method, byte[] request, @Nullable String key) {
    var metadata = new Metadata();
    if (key != null) {
      metadata.put(Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), key);
    }
    var trailers = new AtomicReference<Metadata>();
    var headers = new AtomicReference<Metadata>();
    var keyed =
        ClientInterceptors.intercept(
            channel,
            MetadataUtils.newAttachHeadersInterceptor(metadata),
            MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
    var options = CallOptions.DEFAULT.withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    try {
      if (method == MUTATE) {
        ClientCalls.blockingUnaryCall(keyed, method, options, request);
      } else {
        ClientCalls.blockingServerStreamingCall(keyed, method, options, request)
            .forEachRemaining(message -> {});
      }
      return new Answer("OK", "", "", replayed(headers) || replayed(trailers), false);
    } catch (StatusRuntimeException e) {
      return failed(e);
    }
  }

  private static boolean replayed(AtomicReference<Metadata> from) {
    var metadata = from.get();
    return metadata != null
        && metadata.containsKey(
            Metadata.Key.of("idempotent-replayed", Metadata.ASCII_STRING_MARSHALLER));
  }

  private static Answer failed(StatusRuntimeException failure) {
    var code = "";
    var retry = false;
    var status = StatusProto.fromThrowable(failure);
    try {
      for (var each : status == null ? List.<Any>of() : status.getDetailsList()) {
        code = each.is(ErrorInfo.class) ? each.unpack(ErrorInfo.class).getReason() : code;
        retry |= each.is(RetryInfo.class);
      }
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
    var name = failure.getStatus().getCode().name();
    return new Answer(name, code, String.valueOf(failure.getMessage()), false, retry);
  }

  /** A {@code QueryRequest}, by the field numbers of {@code evita.v1.proto}. */
  private static byte[] query() {
    return message(request -> request.writeString(2, "pets"));
  }

  /** A {@code MutateRequest}. */
  private static byte[] mutation(int id) {
    var values =
        message(row -> {
          row.writeByteArray(1, message(value -> value.writeInt64(2, id)));
          row.writeByteArray(1, message(value -> value.writeString(4, "Rex")));
        });
    var insert =
        message(fields -> {
          fields.writeString(2, "pets");
          fields.writeString(3, "id");
          fields.writeString(3, "name");
          fields.writeByteArray(4, values);
        });
    return message(request -> request.writeByteArray(1, insert));
  }

  /** Writes the fields of a message. */
  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) {
    try {
      var bytes = new ByteArrayOutputStream();
      var out = CodedOutputStream.newInstance(bytes);
      fields.write(out);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    static final Bytes MARSHALLER = new Bytes();

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

  // ---- WebSocket ----

  /** Opens an acknowledged WebSocket of graphql-transport-ws. */
  Socket socket() throws InterruptedException {
    var socket = new Socket(base);
    socket.send("{\"type\":\"connection_init\"}");
    socket.next();
    return socket;
  }

  /** Whole messages of a WebSocket. */
  static final class Socket implements WebSocket.Listener, AutoCloseable {
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final StringBuilder part = new StringBuilder();
    private final WebSocket socket;

    Socket(URI base) {
      socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .subprotocols("graphql-transport-ws")
              .buildAsync(URI.create("ws://" + base.getAuthority() + "/graphql"), this)
              .join();
    }

    void send(String text) {
      socket.sendText(text, true).join();
    }

    String next() throws InterruptedException {
      var message = messages.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("no message came");
      }
      return message;
    }

    /** Reads all pets. */
    String read(String id) throws InterruptedException {
      send(
          "{\"id\":\"%s\",\"type\":\"subscribe\",\"payload\":{\"query\":\"{ pets { id } }\"}}"
              .formatted(id));
      return next();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      part.append(data);
      if (last) {
        messages.add(part.toString());
        part.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
      socket.abort();
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    channel.shutdownNow();
  }
}
