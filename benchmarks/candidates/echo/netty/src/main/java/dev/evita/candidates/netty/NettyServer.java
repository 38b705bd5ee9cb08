// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.netty;

import dev.evita.candidates.graphql.EchoGraphQl;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;

/** Netty, which answers on its event loops: by epoll where there is one, as its wiki has it. */
public final class NettyServer {

  private static final int MAX_BODY_BYTES = 1 << 20;

  private NettyServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    var echo = new EchoHandler(EchoGraphQl.create());
    var epoll = Epoll.isAvailable();
    new ServerBootstrap()
        .group(
            new MultiThreadIoEventLoopGroup(
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()))
        .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel
                    .pipeline()
                    .addLast(new HttpServerCodec(), new HttpObjectAggregator(MAX_BODY_BYTES), echo);
              }
            })
        .bind("127.0.0.1", Integer.getInteger("port"))
        .sync();
  }
}
