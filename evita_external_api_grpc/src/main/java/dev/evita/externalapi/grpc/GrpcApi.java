// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import dev.evita.externalapi.core.exchange.StreamingApi;
import dev.evita.externalapi.core.exchange.StreamingExchange;
import dev.evita.externalapi.grpc.generic.DatabaseService;
import dev.evita.externalapi.grpc.proto.ServiceNames;
import dev.evita.externalapi.grpc.tables.CatalogServices;
import dev.evita.externalapi.grpc.tables.TableMethods;
import dev.evita.externalapi.grpc.tables.TableServices;
import dev.evita.externalapi.grpc.transport.CallFraming;
import dev.evita.externalapi.grpc.transport.GrpcCall;
import dev.evita.externalapi.grpc.transport.GrpcMetadata;
import dev.evita.externalapi.grpc.transport.GrpcStatuses;
import dev.evita.externalapi.grpc.transport.GrpcTimeout;
import dev.evita.externalapi.grpc.transport.RequestListener;
import dev.evita.externalapi.grpc.transport.UnaryRequestMethod;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import io.grpc.Metadata;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the method of a call by its path, and starts it: those that were mounted, then those of the
 * catalog's tables. Serves the files of the latter, too, at {@code /grpc/{schema}.proto}.
 */
final class GrpcApi implements StreamingApi {

  private final ApiContext context;
  private final GrpcOptions options;
  private final List<GrpcProvider.Mount> mounts;
  private final CatalogServices services;

  /** The methods of tables that were called, by their paths; none of them is mounted, too. */
  private final Map<String, ServerMethodDefinition<byte[], byte[]>> own = new ConcurrentHashMap<>();

  private volatile @Nullable MountedServices mounted;
  private volatile @Nullable DatabaseService database;

  /** Shared by all epochs of one server. */
  private volatile AtomicReference<@Nullable GrpcApi> newest = new AtomicReference<>();

  private final RequestListener.Finder newestMethods =
      new RequestListener.Finder() {
        @Override
        public boolean isNewest() {
          return GrpcApi.this.equals(latest());
        }

        @Override
        public void find(
            String path,
            Consumer<@Nullable UnaryRequestMethod> found,
            Consumer<EvitaException> failed) {
          latest().services.whenReady(tables -> found.accept(tables.method(path)), failed);
        }
      };

  GrpcApi(ApiContext context, GrpcOptions options, List<GrpcProvider.Mount> mounts) {
    this.context = context;
    this.options = options;
    this.mounts = mounts;
    this.services = new CatalogServices(context, () -> latest().services);
    services.begin();
  }

  private MountedServices mounted() {
    var known = mounted;
    return known == null ? mount() : known;
  }

  private synchronized MountedServices mount() {
    var made = mounted;
    if (made == null) {
      made = new MountedServices(context, services, () -> latest().database(), options, mounts);
      mounted = made;
    }
    return made;
  }

  private DatabaseService database() {
    var known = database;
    return known == null ? makeDatabase() : known;
  }

  private synchronized DatabaseService makeDatabase() {
    var made = database;
    if (made == null) {
      made = new DatabaseService(context);
      database = made;
    }
    return made;
  }

  /** That of the newest epoch, which may be this one. */
  private GrpcApi latest() {
    var next = newest.get();
    return next == null ? this : next;
  }

  @Override
  public void succeed(Api predecessor) {
    var before = (GrpcApi) predecessor;
    newest = before.newest;
    newest.set(this);
    services.succeed(before.services);
  }

  @Override
  public List<Dialect> dialects() {
    return CallFraming.DIALECTS;
  }

  /**
   * The files, and the paths of the methods that are mounted: so that browsers, who ask before they
   * call, are answered.
   */
  @Override
  public List<Route> routes() {
    var paths = new LinkedHashSet<>(MountedServices.OWN_PATHS);
    for (var mount : mounts) {
      for (var service : mount.services()) {
        service.getMethods().forEach(method -> paths.add(MountedServices.path(method)));
      }
    }
    var routes = new ArrayList<Route>();
    routes.add(Route.below(ServiceNames.FILES, "GET"));
    paths.forEach(path -> routes.add(Route.exact(path, "POST")));
    return routes;
  }

  /** The paths of the tables' methods, of which not all are known before they are asked for. */
  @Override
  public boolean takes(String path) {
    return services.mayHave(path);
  }

  /** Of a file, or of a method by another media type. */
  @Override
  public void handle(Exchange exchange) {
    if (exchange.request().method().equals("GET") || exchange.request().method().equals("HEAD")) {
      if (!options.grpcReflection()) {
        throw new EvitaException(
            ErrorCode.NOT_FOUND, "Files are not served here, as grpc-reflection is off");
      }
      mounted().files().handle(exchange);
      return;
    }
    throw new EvitaException(
        ErrorCode.UNSUPPORTED_MEDIA_TYPE,
        "This is a method of gRPC; expected the content type application/grpc,"
            + " application/grpc-web or application/grpc-web-text");
  }

  @Override
  public void open(StreamingExchange call) {
    if (!call.method().equals("POST")) {
      call.responseHeader("Allow", "POST");
      call.refuse(405);
      return;
    }
    if (!CallFraming.isProtobuf(call)) {
      call.refuse(415);
      return;
    }
    var refusal = refusal(call);
    if (refusal != null) {
      refuse(call, refusal);
      return;
    }
    var known = own.get(call.path());
    if (known != null) {
      start(call, known, null);
      return;
    }
    var method = mounted().method(call.path());
    if (method != null) {
      start(call, method.method(), method.executor());
      return;
    }
    var ready = services.ifReady();
    if (ready != null) {
      startOwn(call, ready);
    } else if (services.mayHave(call.path())) {
      services.whenReady(
          made -> call.execute(() -> startOwn(call, made)),
          problem -> call.execute(() -> refuse(call, GrpcStatuses.of(problem).getStatus())));
    } else {
      refuse(call, unknown(call.path()));
    }
  }

  private void startOwn(StreamingExchange call, TableServices tables) {
    var method =
        own.computeIfAbsent(
            call.path(),
            path ->
                TableMethods.definition(
                    tables, path.substring(1), context.background(), newestMethods));
    if (method == null) {
      refuse(call, unknown(call.path()));
    } else {
      start(call, method, null);
    }
  }

  private <Q, R> void start(
      StreamingExchange call, ServerMethodDefinition<Q, R> method, @Nullable Executor executor) {
    var started =
        new GrpcCall<>(
            call, method.getMethodDescriptor(), context(call), context.limits().maxBodyBytes());
    started.start(method.getServerCallHandler(), executor);
  }

  private Context.CancellableContext context(StreamingExchange call) {
    var timeout = call.header("grpc-timeout");
    return timeout == null
        ? Context.ROOT.withCancellation()
        : Context.ROOT.withDeadlineAfter(
            GrpcTimeout.nanos(timeout) - (System.nanoTime() - call.begunNanos()),
            TimeUnit.NANOSECONDS,
            context.background().clock());
  }

  private static Status unknown(String path) {
    return Status.UNIMPLEMENTED.withDescription("Method not found: " + path.substring(1));
  }

  private static @Nullable Status refusal(StreamingExchange call) {
    var encoding = call.header("grpc-encoding");
    if (encoding != null
        && DecompressorRegistry.getDefaultInstance().lookupDecompressor(encoding) == null) {
      return Status.UNIMPLEMENTED.withDescription(
          "grpc-encoding is '" + encoding + "'; expected gzip or identity");
    }
    var timeout = call.header("grpc-timeout");
    if (timeout != null && GrpcTimeout.nanos(timeout) < 0) {
      return Status.INTERNAL.withDescription(
          "grpc-timeout is '" + timeout + "'; expected up to eight digits and one of HMSmun");
    }
    return null;
  }

  @Override
  public void refuse(StreamingExchange call, EvitaException problem) {
    var failure = GrpcStatuses.of(problem);
    var trailers = failure.getTrailers();
    refuse(call, failure.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  private static void refuse(StreamingExchange call, Status status) {
    refuse(call, status, new Metadata());
  }

  private static void refuse(StreamingExchange call, Status status, Metadata trailers) {
    var framing = CallFraming.of(call);
    call.contentType(framing.contentType());
    call.responseHeader("grpc-accept-encoding", "gzip");
    framing.end(call, GrpcMetadata.trailers(status, trailers), false);
    call.flush();
  }
}
