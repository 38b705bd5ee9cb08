// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.push.EventStream;
import dev.evita.externalapi.core.push.PushChannels;
import dev.evita.externalapi.core.push.WebSocket;
import dev.evita.externalapi.core.push.WebSocketListener;
import dev.evita.externalapi.core.push.WebSocketUpgrade;
import dev.evita.externalapi.core.web.Cors;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.core.work.Work;
import dev.evita.http.HttpFault;
import dev.evita.http.HttpStream;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An exchange over a stream of any version of HTTP, or in process.
 *
 * <pre>
 * head --refused? URL too long?--> streaming API | READING (body; waits without a thread)
 *      --> HANDLING (the port's; this I/O thread or a worker)
 *      --> WRITING (bytes that the socket does not accept are queued) --> ended
 * </pre>
 */
public final class HttpExchange implements Exchange, Work.Owner, HttpStream.Listener {

  private final PortContext port;
  private final HttpStream stream;
  private final Work work;
  private final HttpRequest request;
  private final HttpResponse channel;
  private final Response response;
  private volatile boolean reading;
  private @Nullable Api api;
  private @Nullable EventStream events;

  public HttpExchange(PortContext port, HttpStream stream) {
    this.port = port;
    this.stream = stream;
    this.work =
        new Work(
            port.dispatcher(),
            this,
            stream.isHttp2() ? stream.connectionKey() : null,
            port.dispatcher().deadline(stream.begunNanos()));
    this.request = new HttpRequest(port, stream);
    this.channel = new HttpResponse(port, stream, this);
    this.response = new Response(work, channel);
  }

  @Override
  public Request request() {
    return request;
  }

  @Override
  public Response response() {
    return response;
  }

  @Override
  public Work work() {
    return work;
  }

  /** Sets the API that the request is for. */
  void isFor(Api api) {
    this.api = api;
  }

  // ---- from the head to the API ----

  /** Handles the request, on the connection's thread. */
  public void begin(@Nullable HttpFault fault) {
    stream.listen(this);
    try {
      if (fault == null) {
        handle();
      } else if (fault.headValid()) {
        refuse(problem(fault));
      } else {
        refuse(fault);
      }
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  private static EvitaException problem(HttpFault fault) {
    return new EvitaException(HttpErrorCode.valueOf(fault.code()), fault.detail());
  }

  private void handle() {
    try {
      request.requireShortUrl();
    } catch (EvitaException e) {
      stream.leaveUnread();
      var unused = port.identify(this);
      throw e;
    }
    var streaming = port.streaming(request);
    if (streaming != null) {
      open(streaming);
    } else if (stream.isRequestComplete()) {
      port.accept(this);
    } else {
      var unwanted = port.identify(this);
      request.requireReadableBody();
      readBody(unwanted);
    }
  }

  /** Refuses a request whose head or body breaks a rule, without reading the rest of it. */
  void refuse(HttpFault fault) {
    stream.leaveUnread();
    Problems.send(response, fault.status(), problem(fault));
  }

  /** Refuses a request by its head alone, in the form of its API if that is known. */
  private void refuse(EvitaException problem) {
    stream.leaveUnread();
    var streaming = port.streaming(request);
    if (streaming == null || !carries(streaming.dialect())) {
      var unused = port.identify(this);
      fail(problem);
      return;
    }
    work.openEnd();
    streaming.api().refuse(new StreamingExchange(this, channel, stream), problem);
  }

  private void open(Router.Streaming streaming) {
    var dialect = streaming.dialect();
    if (dialect.forPages() && !request.isOfOwnPage()) {
      stream.leaveUnread();
      throw HttpRequest.foreignPage();
    }
    if (!carries(dialect)) {
      stream.leaveUnread();
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION, dialect.mediaType() + " needs HTTP/2; this is HTTP/1.1");
    }
    work.openEnd();
    stream.sendContinue();
    streaming.api().open(new StreamingExchange(this, channel, stream));
  }

  /** Whether the connection's protocol can carry this dialect. */
  private boolean carries(StreamingApi.Dialect dialect) {
    return stream.isHttp2() || (dialect.forPages() && stream.mayStayOpen());
  }

  // ---- the body ----

  /**
   * Reads the body.
   *
   * @param unwanted the failure of a request without a route, whose body is not awaited
   */
  private void readBody(@Nullable EvitaException unwanted) {
    if (unwanted == null) {
      stream.sendContinue();
    }
    reading = true;
    stream.resume();
    if (!reading) {
      return;
    }
    if (unwanted == null) {
      port.dispatcher().watch(work);
    } else {
      stopReading();
      stream.leaveUnread();
      fail(unwanted);
    }
  }

  @Override
  public void received(ByteBuffer bytes, boolean complete) {
    if (!reading) {
      return;
    }
    try {
      request.collect(bytes, complete);
      if (complete) {
        stopReading();
        port.accept(this);
      }
    } catch (Throwable failure) {
      stopReading();
      fail(failure);
    }
  }

  private void stopReading() {
    reading = false;
    request.discardBody();
    stream.suspend();
  }

  @Override
  public void malformed(HttpFault fault) {
    if (reading) {
      stopReading();
      refuse(fault);
    }
  }

  /** Responds with 408 if the body is late. */
  @Override
  public void timeOut() {
    if (!reading) {
      channel.abort();
      return;
    }
    stream.execute(() -> {
      if (reading) {
        stopReading();
        stream.leaveUnread();
        fail(
            new EvitaException(
                HttpErrorCode.REQUEST_TIMEOUT, "The body did not arrive within request-timeout"));
      }
    });
  }

  @Override
  public void keepInput() {
    request.keepBody();
  }

  @Override
  public boolean again() {
    port.acceptAgain(this);
    return true;
  }

  /** Handles the request again, on another epoch. */
  public void handleAgain() {
    if (stream.mayStayOpen()) {
      stream.execute(() -> port.accept(this));
    } else {
      work.resume(() -> port.accept(this));
    }
  }

  // ---- the response ----

  @Override
  public void fail(Throwable failure) {
    var target = api;
    if (target == null || channel.committed()) {
      Problems.send(response, failure);
    } else {
      target.refuse(this, failure);
    }
  }

  @Override
  public boolean committed() {
    return channel.committed();
  }

  @Override
  public @Nullable ResponseBody body() {
    return response.body();
  }

  /** The stream has sent its queue. */
  @Override
  public void sent() {
    channel.sent();
  }

  /** Called when more can be written. */
  void drained() {
    var open = events;
    if (open == null) {
      response.drained();
    } else {
      open.written();
    }
  }

  /** The stream was reset, or the connection lost. */
  @Override
  public void broken() {
    if (!work.ended()) {
      channel.abort();
      work.expire(ErrorCode.CLIENT_GONE);
    }
  }

  /** Ends the exchange, once the transport has finished with it. */
  void end() {
    work.end();
    channel.close();
  }

  @Override
  public void ended() {
    var open = events;
    if (open != null) {
      open.markClosed();
    }
  }

  @Override
  public void probe() {
    if (!reading && !channel.committed()) {
      stream.probe();
    }
  }

  // ---- connections that stay open ----

  @Override
  public EventStream events() {
    var pushChannels = pushChannels();
    var open = new EventStream(pushChannels, channel, stream);
    events = open;
    work.release();
    response.header("Cache-Control", "no-cache");
    response.header("X-Accel-Buffering", "no");
    channel.start(200, EventStream.MEDIA_TYPE + "; charset=utf-8");
    pushChannels.opened(open);
    stream.execute(stream::watchClient);
    open.heartbeat(0); // sends the head, as the first event may come much later
    return open;
  }

  private PushChannels pushChannels() {
    if (!stream.mayStayOpen()) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "An in-process client has no connection to keep open; connect to the port");
    }
    return port.pushChannels();
  }

  @Override
  public boolean wantsWebSocket() {
    return WebSocketUpgrade.isRequested(stream);
  }

  @Override
  public void upgrade(Set<String> protocols, Function<WebSocket, WebSocketListener> opened) {
    var pushChannels = pushChannels();
    if (stream.isHttp2()) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION, "A WebSocket needs HTTP/1.1; open another connection");
    }
    if (!Cors.allowsSocket(port.cors(), stream.fields())) {
      throw new EvitaException(
          HttpErrorCode.ORIGIN_NOT_ALLOWED,
          "Pages of other origins may not open WebSockets; add the origin to cors-origins");
    }
    var problem = WebSocketUpgrade.problem(stream);
    if (problem == null) {
      var maxMessageBytes = work.limits().maxBodyBytes();
      WebSocketUpgrade.upgrade(stream, protocols, pushChannels, maxMessageBytes, opened);
      end();
    } else {
      stream.responseFields().put(Headers.SEC_WEB_SOCKET_VERSION, 13);
      stream.responseFields().put(Headers.UPGRADE, "websocket"); // RFC 9110, section 15.5.22
      stream.responseFields().put(Headers.CONNECTION, "Upgrade");
      Problems.send(response, WebSocketUpgrade.UPGRADE_REQUIRED, problem);
    }
  }
}
