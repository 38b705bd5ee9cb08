// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import dev.evita.benchmarks.faults.Attempt.Reply;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Sends operations to one port by all three protocols, and waits for each answer for a bounded
 * time. Repeats nothing by itself. Thread-safe.
 */
final class Client implements AutoCloseable {

  /** Longest wait for an answer: far above the server's own deadline, which is to be observed. */
  static final Duration PATIENCE = ServerUnderTest.REQUEST_TIMEOUT.plusSeconds(9);

  private static final Pattern CODE =
      Pattern.compile("\"(?:error|code)\"\\s*:\\s*\"([A-Z]+(?:_[A-Z]+)*)\"");
  private static final Metadata.Key<String> KEY =
      Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER);
  private static final MethodDescriptor<byte[], byte[]> MUTATE =
      MethodDescriptor.newBuilder(Bytes.MARSHALLER, Bytes.MARSHALLER)
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("evita.v1.Database/Mutate")
          .build();

  private final String base;
  private final HttpClient http;
  private final ManagedChannel channel;

  Client(int port) {
    base = "http://127.0.0.1:" + port;
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().disableRetry().build();
  }

  /** Requests an operation once. */
  Reply send(RecordedWrite operation) throws InterruptedException {
    return switch (operation.protocol()) {
      case REST -> post(operation, "/rest/ledger", Requests.rest(operation));
      case GRAPHQL -> post(operation, "/graphql", Requests.graphQl(operation));
      case GRPC -> call(operation);
    };
  }

  private Reply post(RecordedWrite operation, String path, String body)
      throws InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    if (operation.keyed()) {
      request.header("Idempotency-Key", operation.id());
    }
    try {
      var answer = await(request.build());
      var text = answer.body();
      var status = operation.protocol() + " " + answer.statusCode();
      var done = answer.statusCode() / 100 == 2 && !text.contains("\"errors\"");
      return done ? Reply.acknowledged(status) : Reply.failed(status, code(text), text);
    } catch (ExecutionException e) {
      return Reply.unanswered(operation.protocol() + " " + e.getCause().getClass().getSimpleName());
    } catch (TimeoutException e) {
      return Reply.unanswered(
          operation.protocol() + " no answer in " + PATIENCE.toSeconds() + " s");
    }
  }

  /** The client's own timeout ends with the head of an answer; this one with its last byte. */
  private HttpResponse<String> await(HttpRequest request)
      throws InterruptedException, ExecutionException, TimeoutException {
    var answer = http.sendAsync(request, BodyHandlers.ofString());
    try {
      return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      answer.cancel(true);
    }
  }

  /** The error code of a failure by HTTP, in whichever of its forms; else nothing. */
  static String code(String body) {
    var code = CODE.matcher(body);
    return code.find() ? code.group(1) : "";
  }

  private Reply call(RecordedWrite operation) throws InterruptedException {
    var metadata = new Metadata();
    if (operation.keyed()) {
      metadata.put(KEY, operation.id());
    }
    var options = CallOptions.DEFAULT.withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    var keyed =
        io.grpc.ClientInterceptors.intercept(
            channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    try {
      ClientCalls.blockingUnaryCall(keyed, MUTATE, options, Requests.grpc(operation));
      return Reply.acknowledged("GRPC OK");
    } catch (StatusRuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      // Else it would wait longer with each attempt in vain.
      channel.resetConnectBackoff();
      return failed(e);
    }
  }

  /** A failure without details is not the server's, but the transport's. */
  private static Reply failed(StatusRuntimeException e) {
    var status = "GRPC " + e.getStatus().getCode();
    var details = StatusProto.fromThrowable(e);
    if (details != null) {
      for (var each : details.getDetailsList()) {
        if (each.is(ErrorInfo.class)) {
          return Reply.failed(status, reason(each), String.valueOf(e.getStatus()));
        }
      }
    }
    return Reply.unanswered(status + " without details");
  }

  private static String reason(com.google.protobuf.Any detail) {
    try {
      return detail.unpack(ErrorInfo.class).getReason();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the server sent details that cannot be read", e);
    }
  }

  /** Calls a routine by REST. */
  void callRoutine(String name) throws InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(base + "/rest/rpc/" + name))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{}"))
            .build();
    try {
      var answer = await(request);
      if (answer.statusCode() / 100 != 2) {
        throw new IllegalStateException(name + ": " + answer.statusCode() + " " + answer.body());
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(name, e);
    }
  }

  /** Reads the youngest rows, as a REST client gets them; empty where there is no good answer. */
  String youngest() throws InterruptedException {
    var request =
        HttpRequest.newBuilder(
                URI.create(base + "/rest/ledger?select=op,part&order=id.desc&limit=20"))
            .build();
    try {
      var answer = await(request);
      return answer.statusCode() == 200 ? answer.body() : "";
    } catch (ExecutionException | TimeoutException e) {
      return "";
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    channel.shutdownNow();
  }
}
