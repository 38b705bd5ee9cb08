// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/** {@link GrpcRows} on grpc-java's own transport, on the event loop or on workers. */
final class GrpcNettyServer {

  private GrpcNettyServer() {}

  public static void main(String[] arguments) throws IOException {
    start(arguments, NettyServerBuilder::directExecutor);
  }

  private static void start(String[] arguments, UnaryOperator<NettyServerBuilder> executor)
      throws IOException {
    // It would tell of each call that was cut off when a round ended.
    Logger.getLogger("io.grpc.netty").setLevel(Level.OFF);
    executor
        .apply(NettyServerBuilder.forPort(Integer.parseInt(arguments[0])))
        .channelType(NioServerSocketChannel.class)
        .bossEventLoopGroup(new NioEventLoopGroup(1))
        .workerEventLoopGroup(new NioEventLoopGroup(Integer.getInteger("io.threads", 2)))
        .addService(new GrpcRows())
        .build()
        .start();
  }

  /** The same on workers. */
  static final class OnWorkers {

    private OnWorkers() {}

    public static void main(String[] arguments) throws IOException {
      var workers = Executors.newFixedThreadPool(4);
      start(arguments, builder -> builder.executor(workers));
    }
  }
}
