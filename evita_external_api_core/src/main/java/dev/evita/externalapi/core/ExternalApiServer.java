// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.externalapi.core.carpool.Carpool;
import dev.evita.externalapi.core.carpool.CarpoolCounters;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.core.exchange.HttpExchange;
import dev.evita.externalapi.core.exchange.Request;
import dev.evita.externalapi.core.exchange.Router;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.live.CommitWatch;
import dev.evita.externalapi.core.push.PushChannels;
import dev.evita.externalapi.core.tls.CertificateReloader;
import dev.evita.externalapi.core.web.Compression;
import dev.evita.externalapi.core.web.Cors;
import dev.evita.externalapi.core.work.Dispatcher;
import dev.evita.externalapi.core.work.Work;
import dev.evita.http.HttpServer;
import dev.evita.http.SocketOptions;
import io.undertow.connector.ByteBufferPool;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Undertow server, on one port, over an engine in this process.
 *
 * <pre>{@code
 * try (var engine = JdbcEngine.open("jdbc:h2:./shop");
 *     var server = ExternalApiServer.over(engine).port(8080).start()) {
 * ...
 * }
 * }</pre>
 *
 * <p>Thread-safe. Servers share no state, even within one JVM. The caller owns the engine and
 * closes it after the server.
 */
public final class ExternalApiServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ExternalApiServer.class);

  /** The shortest and the longest time that HTTP/2 clients have to close their connections. */
  private static final Duration SHORTEST_GOODBYE = Duration.ofMillis(300);

  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(3);

  private final Engine engine;
  private final ServerOptions options;
  private final CommitWatch tables;
  private final ApiSnapshot.Parts parts;
  private final Dispatcher dispatcher;
  private final PushChannels pushChannels;
  private final @Nullable Cors cors;
  private final @Nullable Compression compression;
  private final ScheduledExecutorService refresher;
  private final @Nullable CertificateReloader tls;
  private final ServerPort mainPort;
  private final HttpServer host;
  private final @Nullable HttpServer management;
  private final Router managementRouter;
  private volatile ApiSnapshot snapshot;
  private volatile boolean draining;

  private ExternalApiServer(Builder builder) {
    engine = builder.engine;
    options = builder.options;
    tls =
        options.tls().enabled() ? new CertificateReloader(options.tls(), Clock.systemUTC()) : null;
    cors = Cors.of(options.cors());
    compression = Compression.of(options.compression());
    tables = new CommitWatch(engine, options.pollInterval());
    dispatcher =
        new Dispatcher(
            options.limits(),
            options.workerThreads(),
            options.workerQueue(),
            System::nanoTime,
            engine);
    pushChannels = new PushChannels(options.limits());
    ApiSnapshot first = null;
    try {
      var catalog = engine.refresh();
      parts =
          new ApiSnapshot.Parts(
              engine,
              builder.allProviders(),
              options,
              new SystemApi(this::unready),
              tables,
              new BackgroundWork(
                  dispatcher, this::afterRefresh, pushChannels, options.feeds(), this::ready),
              new Carpool(options.carpool(), options.workerQueue(), dispatcher));
      first = ApiSnapshot.build(parts, catalog);
      snapshot = first;
      first.apis().forEach(Api::begin);
      managementRouter = new Router(List.of(parts.system()));
      mainPort = new ServerPort(this, false);
      host = listen(mainPort, PortOptions.main(options), builder);
      dispatcher.serves(host.worker());
      management = startManagement(host, builder);
      host.accept();
      if (management != null) {
        management.accept();
      }
    } catch (RuntimeException e) {
      closeTls();
      dispatcher.close();
      pushChannels.close();
      if (first != null) {
        first.apis().forEach(Api::close);
      }
      tables.close();
      throw e;
    }
    if (tls != null) {
      tls.start();
    }
    refresher =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("evita-catalog").factory());
    var interval = options.catalogRefresh().toMillis();
    var unused =
        refresher.scheduleWithFixedDelay(this::poll, interval, interval, TimeUnit.MILLISECONDS);
  }

  private HttpServer listen(ServerPort port, PortOptions where, Builder builder) {
    var address = where.address();
    try {
      return HttpServer.bind(
          where.http(options, address, builder.sockets),
          port,
          tls == null ? null : tls::context,
          builder.buffers.get());
    } catch (IOException e) {
      throw new EvitaException(
          HttpErrorCode.ADDRESS_IN_USE,
          "Cannot listen on "
              + where.host()
              + ":"
              + where.port()
              + " ("
              + e.getMessage()
              + "); stop what listens there, or choose another with --"
              + where.portKey(),
          e);
    }
  }

  private @Nullable HttpServer startManagement(HttpServer started, Builder builder) {
    try {
      var where = PortOptions.management(options);
      return where.isPresent() ? listen(new ServerPort(this, true), where.get(), builder) : null;
    } catch (RuntimeException e) {
      started.close();
      throw e;
    }
  }

  /** Returns a builder for a server over this engine. */
  public static Builder over(Engine engine) {
    return new Builder(engine);
  }

  /** What the carpool has done so far. */
  public CarpoolCounters.Snapshot carpool() {
    return parts.carpool().snapshot();
  }

  /** The port that the server listens on. */
  public int port() {
    return host.port();
  }

  /** The address for clients on this machine, for example {@code http://127.0.0.1:8080}. */
  public URI uri() {
    return uri(host);
  }

  /** The management port; empty if none is configured. */
  public OptionalInt managementPort() {
    return management == null ? OptionalInt.empty() : OptionalInt.of(management.port());
  }

  /** The management port's address for clients on this machine; empty if none is configured. */
  public Optional<URI> managementUri() {
    return Optional.ofNullable(management).map(this::uri);
  }

  private URI uri(HttpServer of) {
    return URI.create(
        (options.tls().enabled() ? "https://" : "http://") + of.address() + ":" + of.port());
  }

  /** Returns a client that needs no socket. */
  public InProcessClient client() {
    return new InProcessClient(this);
  }

  /**
   * Checks the database for schema changes; when it returns, they are served. Blocks. Needed only
   * if the interval {@code catalog-refresh} is too long to wait.
   *
   * @throws EvitaException see {@link Engine#refresh}
   */
  @SuppressWarnings(
      "ReferenceEquality") // the engine returns the same instance while nothing changed
  public synchronized void refresh() {
    var catalog = engine.refresh();
    if (catalog != snapshot.source()) {
      var next = ApiSnapshot.build(parts, catalog);
      next.succeed(snapshot);
      snapshot = next;
      LOG.info("Switched to catalog epoch {}", catalog.epoch());
    }
  }

  /** Reads the catalog on one thread. The engine has logged the reason if the database is down. */
  private void poll() {
    try {
      refresh();
    } catch (RuntimeException e) {
      if (!(engine.health() instanceof Health.Down)) {
        var unused = dispatcher.faults().report(refreshFailed(e));
      }
    }
  }

  private EvitaException refreshFailed(RuntimeException failure) {
    var problem = EvitaException.from(failure);
    return new EvitaException(
        problem.code(),
        "Catalog refresh failed; still serving epoch "
            + snapshot.source().epoch()
            + ": "
            + problem.publicMessage(),
        failure);
  }

  /** The reason why some or all requests would be refused; null if the server is ready. */
  private @Nullable EvitaException unready() {
    if (draining) {
      return Work.failure(ErrorCode.SHUTTING_DOWN);
    }
    return switch (engine.health()) {
      case Health.Up up -> dispatcher.stall();
      case Health.ReadOnly(var reason) -> reason;
      case Health.Stalled(var reason) -> reason;
      case Health.Down(var reason) -> reason;
    };
  }

  private boolean ready() {
    return unready() == null;
  }

  /** Whether the server is shutting down, so that connections are not kept alive. */
  boolean draining() {
    return draining;
  }

  /** Connections that count among {@code max-connections}. */
  public int connections() {
    return host.connections();
  }

  /** The port for all clients. */
  ServerPort mainPort() {
    return mainPort;
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  PushChannels pushChannels() {
    return pushChannels;
  }

  /** Null if no other origin is allowed. */
  @Nullable Cors cors() {
    return cors;
  }

  /** Null if nothing is compressed. */
  public @Nullable Compression compression() {
    return compression;
  }

  /**
   * The streaming API of a request, by content type, before its body arrives; null if there is
   * none.
   */
  Router.@Nullable Streaming streaming(Request request) {
    return draining ? null : snapshot.router().streaming(request);
  }

  /** See {@link Router#identify}. */
  @Nullable EvitaException identify(HttpExchange exchange) {
    return snapshot.router().identify(exchange);
  }

  /** The same for the management port. */
  @Nullable EvitaException identifyManagement(HttpExchange exchange) {
    return managementRouter.identify(exchange);
  }

  /** Accepts a request that was admitted and whose body is complete. */
  void accept(HttpExchange exchange) {
    try {
      if (draining) {
        identify(exchange);
        throw new EvitaException(
            ErrorCode.SHUTTING_DOWN,
            "The server is shutting down; retry later or on another server");
      }
      snapshot.router().route(exchange);
    } catch (Throwable failure) {
      exchange.fail(failure);
    }
  }

  /**
   * Accepts a request on the management port whose body is complete, even while the server drains.
   */
  void acceptManagement(HttpExchange exchange) {
    try {
      managementRouter.route(exchange);
    } catch (Throwable failure) {
      exchange.fail(failure);
    }
  }

  /** Handles a request again after a schema change, once the catalog was read again. */
  void acceptAgain(HttpExchange exchange) {
    afterRefresh(exchange.work(), exchange::handleAgain);
  }

  /** Runs the task after the next catalog refresh unless the work has ended by then. */
  private void afterRefresh(Work work, Runnable task) {
    Runnable refreshed =
        () -> {
          poll();
          if (!work.ended()) {
            task.run();
          }
        };
    try {
      refresher.execute(refreshed);
    } catch (RejectedExecutionException e) {
      work.fail(Work.failure(ErrorCode.SHUTTING_DOWN));
    }
  }

  /**
   * Shuts the server down: accepts no new connections, lets requests in progress finish within the
   * configured drain time, then cancels them. The management port responds until the end.
   * Idempotent; returns when everything is closed.
   */
  @Override
  public synchronized void close() {
    if (draining) {
      return;
    }
    draining = true;
    refresher.shutdownNow();
    host.stopAccepting();
    pushChannels.drain();
    dispatcher.endUnending();
    var deadline = System.nanoTime() + options.drain().toNanos();
    if (!drained(deadline)) {
      LOG.warn(
          "Drain time exceeded; cancelling {} requests and {} connections",
          dispatcher.running(),
          pushChannels.count());
      dispatcher.cancelAll();
      pushChannels.abort();
      drained(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
    }
    awaitGoodbyes(deadline);
    host.close();
    dispatcher.close();
    pushChannels.close();
    snapshot.apis().forEach(Api::close);
    tables.close();
    if (management != null) {
      management.close();
    }
    closeTls();
  }

  private void closeTls() {
    if (tls != null) {
      tls.close();
    }
  }

  private boolean drained(long deadlineNanos) {
    return await(() -> dispatcher.running() + pushChannels.count() == 0, deadlineNanos);
  }

  /** HTTP/2 clients have received GOAWAY and their responses; each may read them to the end. */
  private void awaitGoodbyes(long deadlineNanos) {
    var now = System.nanoTime();
    var left =
        Math.clamp(deadlineNanos - now, SHORTEST_GOODBYE.toNanos(), LONGEST_GOODBYE.toNanos());
    await(
        () -> {
          host.endHttp2();
          return host.http2Connections() == 0;
        },
        now + left);
  }

  private static boolean await(BooleanSupplier end, long deadlineNanos) {
    while (!end.getAsBoolean()) {
      if (System.nanoTime() - deadlineNanos > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    return true;
  }

  /** Configures and starts a server. Not thread-safe. */
  public static final class Builder {

    private final Engine engine;
    private final List<ApiProvider> given = new ArrayList<>();
    private ServerOptions options = ServerOptions.DEFAULT;
    private boolean discovery = true;
    private Supplier<ByteBufferPool> buffers = HttpServer::buffers;
    private SocketOptions sockets = SocketOptions.DEFAULT;

    private Builder(Engine engine) {
      this.engine = engine;
    }

    /**
     * Sets all options at once. Call it before {@link #host} and {@link #port}, which change single
     * ones.
     */
    public Builder options(ServerOptions all) {
      options = all;
      return this;
    }

    /** Sets the address to listen on. */
    public Builder host(String address) {
      options = options.toBuilder().host(address).build();
      return this;
    }

    /** Sets the port to listen on; 0 picks a free one. */
    public Builder port(int number) {
      options = options.toBuilder().port(number).build();
      return this;
    }

    /** Sets the operating system's socket options, for both ports. */
    public Builder sockets(SocketOptions all) {
      sockets = all;
      return this;
    }

    /** Adds an API; it replaces a discovered one of the same name. */
    public Builder provider(ApiProvider provider) {
      given.add(provider);
      return this;
    }

    /** Serves only the providers given in code, none found by {@link ServiceLoader}. */
    public Builder withoutDiscovery() {
      discovery = false;
      return this;
    }

    /** For tests that count buffers taken and returned. */
    Builder buffers(Supplier<ByteBufferPool> pool) {
      buffers = pool;
      return this;
    }

    private List<ApiProvider> allProviders() {
      var all = new ArrayList<>(given);
      if (discovery) {
        for (var found : ServiceLoader.load(ApiProvider.class)) {
          if (all.stream().noneMatch(provider -> provider.name().equals(found.name()))) {
            all.add(found);
          }
        }
      }
      all.sort(Comparator.comparing(ApiProvider::servesOtherPaths));
      return List.copyOf(all);
    }

    /**
     * Starts the server and returns once it accepts connections. Reads the engine's catalog first,
     * so that all objects created so far are served.
     *
     * @throws EvitaException {@code ADDRESS_IN_USE}, {@code INVALID_CONFIGURATION}; {@code
     *     SHUTTING_DOWN} if the engine is closed; see {@link Engine#refresh}
     */
    public ExternalApiServer start() {
      return new ExternalApiServer(this);
    }
  }
}
