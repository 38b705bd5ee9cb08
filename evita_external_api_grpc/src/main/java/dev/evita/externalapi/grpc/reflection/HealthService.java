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
 * gRPC's health service: the server, by the empty name, serves as long as its readiness probe says
 * so, and each of its services with it.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/health-checking.md">Health
 *     checking</a>
 */
public final class HealthService extends HealthGrpc.HealthImplBase {

  /** How often those who watch are looked after. */
  private static final Duration TICK = Duration.ofMillis(500);

  private final BackgroundWork background;
  private final ProtoFiles files;

  public HealthService(BackgroundWork background, ProtoFiles files) {
    this.background = background;
    this.files = files;
  }

  /**
   * Asks for the status of a service, or of the server.
   *
   * @param answer called at once or later, on any thread; must not block
   */
  private void status(String service, Consumer<ServingStatus> answer) {
    if (service.isEmpty()) {
      answer.accept(status());
    } else {
      files.serves(
          service,
          known -> answer.accept(known ? status() : ServingStatus.SERVICE_UNKNOWN),
          problem -> answer.accept(ServingStatus.NOT_SERVING));
    }
  }

  private ServingStatus status() {
    return background.ready() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  @Override
  public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answer) {
    status(request.getService(), status -> check(request, status, answer));
  }

  private static void check(
      HealthCheckRequest request,
      ServingStatus status,
      StreamObserver<HealthCheckResponse> answer) {
    if (status == ServingStatus.SERVICE_UNKNOWN) {
      answer.onError(
          Status.NOT_FOUND
              .withDescription("There is no service '" + request.getService() + "'")
              .asRuntimeException());
    } else {
      answer.onNext(response(status));
      answer.onCompleted();
    }
  }

  private static HealthCheckResponse response(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }

  @Override
  public void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answer) {
    var watcher =
        new Watcher(request.getService(), (ServerCallStreamObserver<HealthCheckResponse>) answer);
    watcher.call.stayOpen();
    watcher.look();
  }

  /** Tells one client of each change, until it leaves or the server stops. */
  private final class Watcher implements CallWork.Caller {

    private final String service;
    private final ServerCallStreamObserver<HealthCheckResponse> answer;
    private final CallWork call = background.open(this, null, System.nanoTime());
    private @Nullable ServingStatus told;
    private boolean over;

    private Watcher(String service, ServerCallStreamObserver<HealthCheckResponse> answer) {
      this.service = service;
      this.answer = answer;
      answer.setOnCancelHandler(call.work()::cancel);
    }

    private void look() {
      status(
          service,
          status -> {
            if (tell(status)) {
              background.after(TICK, this::look);
            }
          });
    }

    /** Answers whether the client is still there. */
    private synchronized boolean tell(ServingStatus status) {
      if (answer.isCancelled() || over) {
        return false;
      }
      if (status != told) {
        answer.onNext(response(status));
      }
      told = status;
      return true;
    }

    @Override
    public synchronized void failed(EvitaException problem) {
      if (!answer.isCancelled()) {
        tell(ServingStatus.NOT_SERVING);
        answer.onError(GrpcStatuses.of(problem));
      }
      over = true;
    }

    @Override
    public void again() {
      throw new IllegalStateException("it asks the engine for nothing");
    }
  }
}
