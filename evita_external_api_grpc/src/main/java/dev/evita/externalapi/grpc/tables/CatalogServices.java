// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.SystemTable;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.CallWork;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.grpc.proto.FieldNumberStore;
import dev.evita.externalapi.grpc.proto.FieldNumbers;
import dev.evita.externalapi.grpc.proto.ServiceNames;
import dev.evita.externalapi.grpc.proto.StoredTableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services of one epoch's catalog, created on first use: nothing is stored in a database that
 * has no gRPC clients. Once names and numbers are stored there, the services of each epoch are
 * created immediately, so that no change of the schema is missed.
 *
 * <pre>
 *   NONE --wanted--> LOADING: read and keep both, make files --> READY
 *     ^                 | no table yet: create it, then the next epoch's take over
 *     '-----failed------'
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class CatalogServices {

  private static final Logger LOG = LoggerFactory.getLogger(CatalogServices.class);

  private static final int MOST_ATTEMPTS = 12;

  private record Waiter(Consumer<TableServices> ready, Consumer<EvitaException> failed) {}

  private final ApiContext context;

  /** The default names of the services; null where names are stored, which take precedence. */
  private final @Nullable ServiceNames unkept;

  private final Supplier<CatalogServices> newest;

  // Guarded by {@code this}.
  private List<Waiter> waiting = new ArrayList<>();
  private boolean loading;
  private @Nullable TableServices former;

  private volatile @Nullable TableServices services;

  /**
   * @param newest the services of the newest epoch, which may be these
   */
  public CatalogServices(ApiContext context, Supplier<CatalogServices> newest) {
    this.context = context;
    this.newest = newest;
    this.unkept = areKept() ? null : ServiceNames.of(context.catalog(), StoredTableNames.NONE);
  }

  private boolean areKept() {
    return SystemTable.FIELD_NUMBERS.in(context.source()).isPresent();
  }

  /** Starts creating them, if names and numbers are stored already. */
  public void begin() {
    if (areKept()) {
      load();
    }
  }

  /**
   * Whether a path may be that of a method. Before the services are created, and where names are
   * stored, this is only a check of the path's form.
   */
  public boolean mayHave(String path) {
    var names = names();
    return names == null ? ServiceNames.isLike(path) : names.paths().contains(path);
  }

  /** Returns their names; null if the database is needed to determine them. */
  private @Nullable ServiceNames names() {
    var made = services;
    return made == null ? unkept : made.names();
  }

  /**
   * Requests their names. Stores nothing if nothing was stored: no client depends on a name by
   * then.
   *
   * @param consumer called at once or later, on any thread; must not block
   * @param failed likewise
   */
  public void whenNamed(Consumer<ServiceNames> consumer, Consumer<EvitaException> failed) {
    var names = names();
    if (names == null) {
      whenReady(made -> consumer.accept(made.names()), failed);
    } else {
      consumer.accept(names);
    }
  }

  /**
   * Takes over the state of the previous epoch that outlives it: only that of its services, which
   * may be none.
   */
  public void succeed(CatalogServices before) {
    var outlived = before.outlived();
    synchronized (this) {
      former = outlived;
    }
    if (outlived != null) {
      load();
    }
  }

  /** Returns the services created last. */
  private synchronized @Nullable TableServices outlived() {
    var made = services;
    return made == null ? former : made;
  }

  private void load() {
    whenReady(ready -> {}, problem -> LOG.warn("No gRPC services: {}", problem.publicMessage()));
  }

  /** Returns the services, if they are created. */
  public @Nullable TableServices ifReady() {
    return services;
  }

  /**
   * Requests the services.
   *
   * @param ready called at once or later, on any thread; must not block
   * @param failed likewise
   */
  public void whenReady(Consumer<TableServices> ready, Consumer<EvitaException> failed) {
    var known = services;
    var first = false;
    synchronized (this) {
      known = services;
      if (known == null) {
        waiting.add(new Waiter(ready, failed));
        first = !loading;
        loading = true;
      }
    }
    if (known != null) {
      ready.accept(known);
    } else if (first) {
      new Loading().start();
    }
  }

  private List<Waiter> takeWaiting() {
    var taken = waiting;
    waiting = new ArrayList<>();
    loading = false;
    return taken;
  }

  private void ready(TableServices made) {
    var next = newest.get();
    List<Waiter> waiters;
    synchronized (this) {
      // If another epoch has begun meanwhile, that one has taken over.
      if (former != null && equals(next)) {
        made.succeed(former);
      }
      former = null;
      services = made;
      waiters = takeWaiting();
    }
    if (equals(next)) {
      waiters.forEach(each -> each.ready.accept(made));
    } else {
      moveTo(next, waiters);
    }
  }

  private static void moveTo(CatalogServices next, List<Waiter> moved) {
    moved.forEach(each -> next.whenReady(each.ready, each.failed));
  }

  private void failed(EvitaException problem) {
    List<Waiter> waiters;
    synchronized (this) {
      waiters = takeWaiting();
    }
    waiters.forEach(each -> each.failed.accept(problem));
  }

  /** The state of creating the services. */
  private final class Loading implements CallWork.Caller, FieldNumberStore.Outcome {

    private final CallWork call;
    private int attempts;
    private boolean tried;
    private @Nullable EvitaException refused;

    private Loading() {
      this.call = context.background().open(this, null, System.nanoTime());
    }

    private void start() {
      call.work().dispatch(new PlacementHistory("gRPC services of the catalog"), false, this::run);
    }

    private void run() {
      var table = SystemTable.FIELD_NUMBERS.in(context.source()).orElse(null);
      if (table == null) {
        if (tried) {
          LOG.warn(
              "Names of services and numbers of fields are not kept, as there is no table for them:"
                  + " {}",
              refused == null ? "it was created, and is gone" : refused.publicMessage());
          make(FieldNumbers.advance(context.catalog(), StoredTableNames.NONE, false));
        } else {
          SystemTable.FIELD_NUMBERS.create(call.work(), context.statements(), this::created);
        }
        return;
      }
      attempts++;
      var held = Quota.held(call.work().limits(), 0);
      var store = new FieldNumberStore(context, table, this);
      new TransactionExecution(call.work(), context.statements(), held, store).run();
    }

    /** Another server may have created it: reading the schema again detects this. */
    private void created(@Nullable EvitaException problem) {
      refused = problem;
      tried = true;
      if (!call.work().restart()) {
        call.work()
            .fail(
                problem != null
                    ? problem
                    : new EvitaException(
                        ErrorCode.CATALOG_CHANGED, "The schema changes all the time; try again"));
      }
    }

    @Override
    public void kept(FieldNumbers numbers) {
      make(numbers);
    }

    @Override
    public void failed(Throwable problem, @Nullable FieldNumbers numbers) {
      var translated = EvitaException.from(problem);
      switch (translated.code()) {
        case ErrorCode.SERIALIZATION_FAILURE, ErrorCode.UNIQUE_VIOLATION -> {
          if (attempts < MOST_ATTEMPTS) {
            run();
          } else {
            call.work().fail(translated);
          }
        }
        case ErrorCode.CATALOG_CHANGED -> {
          if (!call.work().restart()) {
            call.work().fail(translated);
          }
        }
        case ErrorCode.READ_ONLY, ErrorCode.PERMISSION_DENIED -> {
          if (numbers == null) {
            call.work().fail(translated);
          } else {
            LOG.warn(
                "Names of new services and numbers of new fields are not kept: {}",
                translated.publicMessage());
            make(numbers.unkept());
          }
        }
        default -> call.work().fail(translated);
      }
    }

    private void make(FieldNumbers numbers) {
      TableServices made;
      try {
        made = new TableServices(context, numbers);
      } catch (RuntimeException e) {
        call.work().fail(e);
        return;
      }
      var unused = call.complete(() -> ready(made));
    }

    @Override
    public void failed(EvitaException problem) {
      CatalogServices.this.failed(problem);
    }

    /** With another schema, or with the same where nothing has changed it. */
    @Override
    public void again() {
      var next = newest.get();
      if (CatalogServices.this.equals(next)) {
        call.work().resume(this::run);
        return;
      }
      var unused =
          call.complete(() -> {
            List<Waiter> moved;
            synchronized (CatalogServices.this) {
              moved = takeWaiting();
            }
            moveTo(next, moved);
          });
    }
  }
}
