// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.reflection;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.work.CallWork;
import dev.evita.externalapi.grpc.transport.GrpcStatuses;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * gRPC's health service: the server, by the empty name, and each of its services are reported as
 * serving as long as the readiness probe succeeds.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/health-checking.md">Health
 *     checking</a>
 */
public final class HealthService extends HealthGrpc.HealthImplBase {

  /** Interval at which the status is checked for watching clients. */
  private static final Duration TICK = Duration.ofMillis(500);

  private final BackgroundWork background;
  private final ProtoFiles files;

  public HealthService(BackgroundWork background, ProtoFiles files) {
    this.background = background;
    this.files = files;
  }

  /**
   * Requests the status of a service, or of the server.
   *
   * @param observer called at once or later, on any thread; must not block
   */
  private void status(String service, Consumer<ServingStatus> observer) {
    if (service.isEmpty()) {
      observer.accept(status());
    } else {
      files.serves(
          service,
          known -> observer.accept(known ? status() : ServingStatus.SERVICE_UNKNOWN),
          problem -> observer.accept(ServingStatus.NOT_SERVING));
    }
  }

  private ServingStatus status() {
    return background.ready() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  @Override
  public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> observer) {
    status(request.getService(), status -> check(request, status, observer));
  }

  private static void check(
      HealthCheckRequest request,
      ServingStatus status,
      StreamObserver<HealthCheckResponse> observer) {
    if (status == ServingStatus.SERVICE_UNKNOWN) {
      observer.onError(
          Status.NOT_FOUND
              .withDescription("There is no service '" + request.getService() + "'")
              .asRuntimeException());
    } else {
      observer.onNext(response(status));
      observer.onCompleted();
    }
  }

  private static HealthCheckResponse response(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }

  @Override
  public void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> observer) {
    var watcher =
        new Watcher(request.getService(), (ServerCallStreamObserver<HealthCheckResponse>) observer);
    watcher.call.stayOpen();
    watcher.look();
  }

  /** Notifies one client of each change, until it disconnects or the server stops. */
  private final class Watcher implements CallWork.Caller {

    private final String service;
    private final ServerCallStreamObserver<HealthCheckResponse> observer;
    private final CallWork call = background.open(this, null, System.nanoTime());
    private @Nullable ServingStatus sent;
    private boolean over;

    private Watcher(String service, ServerCallStreamObserver<HealthCheckResponse> observer) {
      this.service = service;
      this.observer = observer;
      observer.setOnCancelHandler(call.work()::cancel);
    }

    private void look() {
      status(
          service,
          status -> {
            if (send(status)) {
              background.after(TICK, this::look);
            }
          });
    }

    /** Returns whether the client is still connected. */
    private synchronized boolean send(ServingStatus status) {
      if (observer.isCancelled() || over) {
        return false;
      }
      if (status != sent) {
        observer.onNext(response(status));
      }
      sent = status;
      return true;
    }

    @Override
    public synchronized void failed(EvitaException problem) {
      if (!observer.isCancelled()) {
        send(ServingStatus.NOT_SERVING);
        observer.onError(GrpcStatuses.of(problem));
      }
      over = true;
    }

    @Override
    public void again() {
      throw new IllegalStateException("it executes no statement");
    }
  }
}
