// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.externalapi.core.Duplex;
import dev.evita.externalapi.core.StreamingApi;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds the method of a call by its path, and starts it. */
final class GrpcApi implements StreamingApi {

  static final String MEDIA_TYPE = "application/grpc";

  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("evita-grpc-deadlines").factory());

  private final Map<String, ServerMethodDefinition<?, ?>> methods = new HashMap<>();
  private final @Nullable Executor executor;
  private final int maxMessageBytes;

  GrpcApi(
      List<ServerServiceDefinition> services, @Nullable Executor executor, int maxMessageBytes) {
    for (var service : services) {
      for (var method : service.getMethods()) {
        methods.put("/" + method.getMethodDescriptor().getFullMethodName(), method);
      }
    }
    this.executor = executor;
    this.maxMessageBytes = maxMessageBytes;
  }

  @Override
  public String mediaType() {
    return MEDIA_TYPE;
  }

  @Override
  public void open(Duplex call) {
    if (!call.method().equals("POST")) {
      call.responseHeader("Allow", "POST");
      call.refuse(405);
      return;
    }
    var method = methods.get(call.path());
    var refusal = method == null ? unknown(call.path()) : refusal(call);
    if (refusal != null || method == null) {
      refuse(call, refusal == null ? Status.UNIMPLEMENTED : refusal);
    } else {
      start(call, method);
    }
  }

  private <Q, R> void start(Duplex call, ServerMethodDefinition<Q, R> method) {
    var started =
        new GrpcCall<>(call, method.getMethodDescriptor(), context(call), maxMessageBytes);
    started.start(method.getServerCallHandler(), executor);
  }

  private static Context.CancellableContext context(Duplex call) {
    var timeout = call.header("grpc-timeout");
    return timeout == null
        ? Context.ROOT.withCancellation()
        : Context.ROOT.withDeadlineAfter(GrpcTimeout.nanos(timeout), TimeUnit.NANOSECONDS, TIMER);
  }

  private static Status unknown(String path) {
    return Status.UNIMPLEMENTED.withDescription("Method not found: " + path.substring(1));
  }

  private static @Nullable Status refusal(Duplex call) {
    var encoding = call.header("grpc-encoding");
    if (encoding != null
        && DecompressorRegistry.getDefaultInstance().lookupDecompressor(encoding) == null) {
      return Status.UNIMPLEMENTED.withDescription(
          "grpc-encoding is '" + encoding + "'; expected one of grpc-accept-encoding");
    }
    var timeout = call.header("grpc-timeout");
    if (timeout != null && GrpcTimeout.nanos(timeout) < 0) {
      return Status.INTERNAL.withDescription(
          "grpc-timeout is '" + timeout + "'; expected up to eight digits and one of HMSmun");
    }
    return null;
  }

  private static void refuse(Duplex call, Status status) {
    call.contentType(MEDIA_TYPE);
    GrpcMetadata.forEach(
        GrpcMetadata.trailers(status, new io.grpc.Metadata()), call::responseHeader);
    call.end(List.of());
    call.flush();
  }
}
