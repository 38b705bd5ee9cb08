// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.netty;

import dev.evita.candidates.graphql.EchoGraphQl;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/** Answers a whole request; keeps its connection where the client does. */
@Sharable
final class EchoHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

  private final EchoGraphQl graphQl;

  EchoHandler(EchoGraphQl graphQl) {
    this.graphQl = graphQl;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    var response = answer(request);
    var keepAlive = HttpUtil.isKeepAlive(request);
    HttpUtil.setContentLength(response, response.content().readableBytes());
    HttpUtil.setKeepAlive(response.headers(), request.protocolVersion(), keepAlive);
    var written = context.write(response);
    if (!keepAlive) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private FullHttpResponse answer(FullHttpRequest request) {
    if (!request.uri().equals("/graphql")) {
      return response(HttpResponseStatus.NOT_FOUND, Unpooled.EMPTY_BUFFER);
    }
    var body = graphQl.answer(ByteBufUtil.getBytes(request.content()));
    var response = response(HttpResponseStatus.OK, Unpooled.wrappedBuffer(body));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
    return response;
  }

  private static FullHttpResponse response(HttpResponseStatus status, ByteBuf body) {
    return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // nobody is left to be told
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
