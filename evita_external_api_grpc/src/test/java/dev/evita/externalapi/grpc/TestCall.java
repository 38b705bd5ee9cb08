// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** A call whose client receives only requested messages. */
public final class TestCall extends ClientCall.Listener<byte[]> {

  public final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
  public final CompletableFuture<Status> status = new CompletableFuture<>();
  public final ClientCall<byte[], byte[]> call;

  public TestCall(
      ManagedChannel channel, MethodDescriptor<byte[], byte[]> method, CallOptions options) {
    call = channel.newCall(method, options);
    call.start(this, new Metadata());
  }

  /** Requests more messages than arrive, and sends one of this size. */
  static TestCall saying(
      ManagedChannel channel, MethodDescriptor<byte[], byte[]> method, int bytes) {
    var started = new TestCall(channel, method, CallOptions.DEFAULT);
    started.call.request(100);
    return started.say(bytes);
  }

  TestCall say(int bytes) {
    call.sendMessage(new byte[bytes]);
    return this;
  }

  @Override
  public void onMessage(byte[] message) {
    messages.add(message);
  }

  @Override
  public void onClose(Status closed, Metadata trailers) {
    status.complete(closed);
  }
}
