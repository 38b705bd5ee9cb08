// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A client that learns everything about a server through reflection, as grpcurl does. Messages are
 * JSON. What it has learnt of a service stays, whatever the server's schema becomes.
 */
public final class ReflectingClient implements AutoCloseable {

  private final ManagedChannel channel;
  private final Map<String, Descriptors.ServiceDescriptor> services = new LinkedHashMap<>();

  public ReflectingClient(int port) {
    this(ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build());
  }

  private ReflectingClient(ManagedChannel channel) {
    this.channel = channel;
  }

  /** One that takes no more than so many bytes of a stream before its caller does. */
  static ReflectingClient taking(int bytes, int port) {
    return new ReflectingClient(
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .flowControlWindow(bytes)
            .build());
  }

  /** One that has learnt the same, and calls another server. */
  public ReflectingClient at(int port) {
    var moved = new ReflectingClient(port);
    moved.services.putAll(services);
    return moved;
  }

  public ManagedChannel channel() {
    return channel;
  }

  /** Returns the response of reflection to one request. */
  ServerReflectionResponse reflect(ServerReflectionRequest request) throws Exception {
    var answer = new CompletableFuture<ServerReflectionResponse>();
    var requests = ServerReflectionGrpc.newStub(channel).serverReflectionInfo(completing(answer));
    requests.onNext(request);
    requests.onCompleted();
    return answer.get(20, TimeUnit.SECONDS);
  }

  private static <T> StreamObserver<T> completing(CompletableFuture<T> answer) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T value) {
        answer.complete(value);
      }

      @Override
      public void onError(Throwable problem) {
        answer.completeExceptionally(problem);
      }

      @Override
      public void onCompleted() {}
    };
  }

  private MethodDescriptor<DynamicMessage, DynamicMessage> method(String path) {
    var slash = path.indexOf('/');
    var service = services.computeIfAbsent(path.substring(0, slash), this::service);
    var method = service.findMethodByName(path.substring(slash + 1));
    var type =
        method.isClientStreaming()
            ? method.isServerStreaming()
                ? MethodDescriptor.MethodType.BIDI_STREAMING
                : MethodDescriptor.MethodType.CLIENT_STREAMING
            : method.isServerStreaming()
                ? MethodDescriptor.MethodType.SERVER_STREAMING
                : MethodDescriptor.MethodType.UNARY;
    return MethodDescriptor.newBuilder(
            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getInputType())),
            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getOutputType())))
        .setFullMethodName(path)
        .setType(type)
        .build();
  }

  private Descriptors.ServiceDescriptor service(String name) {
    try {
      var request = ServerReflectionRequest.newBuilder().setFileContainingSymbol(name).build();
      var answer = reflect(request);
      if (answer.hasErrorResponse()) {
        throw Status.fromCodeValue(answer.getErrorResponse().getErrorCode())
            .withDescription(answer.getErrorResponse().getErrorMessage())
            .asRuntimeException();
      }
      var files = new LinkedHashMap<String, FileDescriptorProto>();
      for (ByteString bytes : answer.getFileDescriptorResponse().getFileDescriptorProtoList()) {
        var file = FileDescriptorProto.parseFrom(bytes);
        files.put(file.getName(), file);
      }
      var first = files.values().iterator().next();
      return build(first, files).findServiceByName(name.substring(name.lastIndexOf('.') + 1));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static FileDescriptor build(
      FileDescriptorProto file, Map<String, FileDescriptorProto> files) throws Exception {
    var imports = new ArrayList<FileDescriptor>();
    for (var name : file.getDependencyList()) {
      imports.add(build(files.get(name), files));
    }
    return FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new));
  }

  /** The file in which a service is. */
  public FileDescriptor file(String service) {
    return services.computeIfAbsent(service, this::service).getFile();
  }

  /** Calls a method that reflection need not list. */
  public byte[] callUnknown(String path) {
    var bytes = ProtoUtils.marshaller(com.google.protobuf.Empty.getDefaultInstance());
    var method =
        MethodDescriptor.newBuilder(bytes, bytes)
            .setFullMethodName(path)
            .setType(MethodDescriptor.MethodType.UNARY)
            .build();
    return ClientCalls.blockingUnaryCall(
            channel,
            method,
            CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS),
            com.google.protobuf.Empty.getDefaultInstance())
        .toByteArray();
  }

  private DynamicMessage message(Descriptors.Descriptor type, String json) {
    try {
      var builder = DynamicMessage.newBuilder(type);
      JsonFormat.parser().merge(json, builder);
      return builder.build();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private DynamicMessage request(String path, String json) {
    var slash = path.indexOf('/');
    var service = services.computeIfAbsent(path.substring(0, slash), this::service);
    return message(service.findMethodByName(path.substring(slash + 1)).getInputType(), json);
  }

  private static String json(DynamicMessage message) {
    try {
      return JsonFormat.printer()
          .omittingInsignificantWhitespace()
          .preservingProtoFieldNames()
          .print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Calls a method with one request and one response. */
  public String call(String path, String json) {
    return json(call(path, request(path, json)));
  }

  public DynamicMessage call(String path, DynamicMessage request) {
    return ClientCalls.blockingUnaryCall(
        channel,
        method(path),
        CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS),
        request);
  }

  /** Calls a method that returns a stream. */
  public List<String> stream(String path, String json) {
    var all = new ArrayList<String>();
    lines(path, json, 20).forEachRemaining(message -> all.add(json(message)));
    return all;
  }

  /** The same while it comes. */
  Iterator<DynamicMessage> lines(String path, String json, int seconds) {
    return ClientCalls.blockingServerStreamingCall(
        channel,
        method(path),
        CallOptions.DEFAULT.withDeadlineAfter(seconds, TimeUnit.SECONDS),
        request(path, json));
  }

  /** A call whose response is not read yet. */
  static final class Unread {

    private final ClientCall<DynamicMessage, DynamicMessage> call;
    private final CompletableFuture<Status> ended = new CompletableFuture<>();

    private Unread(ClientCall<DynamicMessage, DynamicMessage> call, DynamicMessage request) {
      this.call = call;
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              ended.complete(status);
            }
          },
          new Metadata());
      call.sendMessage(request);
      call.halfClose();
    }

    /** Reads all that there is; how it ends. */
    Status read() throws Exception {
      call.request(Integer.MAX_VALUE);
      return ended.get(20, TimeUnit.SECONDS);
    }
  }

  /** Calls a method with one request and reads nothing of the response. */
  Unread leaveUnread(String path, String json) {
    return new Unread(channel.newCall(method(path), CallOptions.DEFAULT), request(path, json));
  }

  public static String text(DynamicMessage message) {
    return json(message);
  }

  /** Calls a method that takes a stream. */
  String upload(String path, Iterable<String> messages) throws Exception {
    var answer = new CompletableFuture<DynamicMessage>();
    var call =
        channel.newCall(method(path), CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    var requests = ClientCalls.asyncClientStreamingCall(call, completing(answer));
    for (var json : messages) {
      requests.onNext(request(path, json));
    }
    requests.onCompleted();
    try {
      return json(answer.get(60, TimeUnit.SECONDS));
    } catch (java.util.concurrent.ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  /** A call of which both sides are streams. */
  public final class Conversation {

    private final StreamObserver<DynamicMessage> requests;
    private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    private final String path;

    private Conversation(String path) {
      this.path = path;
      var call =
          channel.newCall(
              method(path), CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
      requests =
          ClientCalls.asyncBidiStreamingCall(
              call,
              new StreamObserver<DynamicMessage>() {
                @Override
                public void onNext(DynamicMessage message) {
                  answers.add(json(message));
                }

                @Override
                public void onError(Throwable problem) {
                  answers.add(Status.fromThrowable(problem));
                }

                @Override
                public void onCompleted() {
                  answers.add(Status.OK);
                }
              });
    }

    public Conversation send(String json) {
      requests.onNext(request(path, json));
      return this;
    }

    public void end() {
      requests.onCompleted();
    }

    public void cancel() {
      requests.onError(Status.CANCELLED.asRuntimeException());
    }

    /** The next message as JSON, or the status at the end. */
    public Object next() throws InterruptedException {
      return answers.poll(20, TimeUnit.SECONDS);
    }
  }

  public Conversation converse(String path) {
    return new Conversation(path);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
