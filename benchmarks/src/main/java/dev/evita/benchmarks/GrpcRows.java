// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import com.google.protobuf.Int32Value;
import com.google.protobuf.StringValue;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/**
 * The service that each transport of gRPC serves: an echo, and as many small rows as are asked for,
 * as fast as they are taken. Written as generated code would be, over messages of protobuf's own.
 */
final class GrpcRows implements BindableService {

  static final MethodDescriptor<StringValue, StringValue> ECHO =
      MethodDescriptor.<StringValue, StringValue>newBuilder()
          .setType(MethodType.UNARY)
          .setFullMethodName("benchmarks.Rows/Echo")
          .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
          .build();

  static final MethodDescriptor<Int32Value, StringValue> LIST =
      MethodDescriptor.<Int32Value, StringValue>newBuilder()
          .setType(MethodType.SERVER_STREAMING)
          .setFullMethodName("benchmarks.Rows/List")
          .setRequestMarshaller(ProtoUtils.marshaller(Int32Value.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
          .build();

  private static final StringValue ROW = StringValue.of("4711, Product number 4711, 41, true");

  /** An echo. */
  static final HttpProbe ECHO_HELLO =
      HttpProbe.grpc(ECHO.getFullMethodName(), StringValue.of("hello"));

  /** Ten thousand rows. */
  static final HttpProbe LIST_10_000 =
      HttpProbe.grpc(LIST.getFullMethodName(), Int32Value.of(10_000));

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder("benchmarks.Rows")
        .addMethod(ECHO, ServerCalls.asyncUnaryCall(GrpcRows::echo))
        .addMethod(LIST, ServerCalls.asyncServerStreamingCall(GrpcRows::list))
        .build();
  }

  private static void echo(StringValue message, StreamObserver<StringValue> answer) {
    answer.onNext(message);
    answer.onCompleted();
  }

  private static void list(Int32Value rows, StreamObserver<StringValue> answer) {
    var call = (ServerCallStreamObserver<StringValue>) answer;
    call.setOnReadyHandler(
        new Runnable() {
          private int left = rows.getValue();

          @Override
          public void run() {
            while (left > 0 && call.isReady()) {
              left--;
              call.onNext(StringValue.newBuilder(ROW).build());
            }
            if (left == 0) {
              left--;
              call.onCompleted();
            }
          }
        });
  }
}
