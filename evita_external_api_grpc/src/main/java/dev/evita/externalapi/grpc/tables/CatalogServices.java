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
 * The services of one epoch's catalog, made when they are first wanted: nothing is stored in a
 * database of which nobody wants messages. Once names and numbers are kept there, the services of
 * each epoch are made at once, so that no change of the schema is missed.
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

  /** What they are called by themselves; null where names are kept, which tell more. */
  private final @Nullable ServiceNames unkept;

  private final Supplier<CatalogServices> newest;

  // Guarded by this.
  private List<Waiter> waiting = new ArrayList<>();
  private boolean loading;
  private @Nullable TableServices former;

  private volatile @Nullable TableServices services;

  /**
   * @param newest those of the newest epoch, which may be these
   */
  public CatalogServices(ApiContext context, Supplier<CatalogServices> newest) {
    this.context = context;
    this.newest = newest;
    this.unkept = areKept() ? null : ServiceNames.of(context.catalog(), StoredTableNames.NONE);
  }

  private boolean areKept() {
    return SystemTable.FIELD_NUMBERS.in(context.source()).isPresent();
  }

  /** Begins to make them, where names and numbers are kept already. */
  public void begin() {
    if (areKept()) {
      load();
    }
  }

  /**
   * Whether a path may be that of a method. Not sure only until they are made, and where names are
   * kept: then it may be whatever looks like one.
   */
  public boolean mayHave(String path) {
    var names = names();
    return names == null ? ServiceNames.isLike(path) : names.paths().contains(path);
  }

  /** Their names; null where it takes the database to tell them. */
  private @Nullable ServiceNames names() {
    var made = services;
    return made == null ? unkept : made.names();
  }

  /**
   * Asks for their names. Has nothing kept where nothing was: no client knows a name by then.
   *
   * @param answer called at once or later, on any thread; must not block
   * @param failed likewise
   */
  public void whenNamed(Consumer<ServiceNames> answer, Consumer<EvitaException> failed) {
    var names = names();
    if (names == null) {
      whenReady(made -> answer.accept(made.names()), failed);
    } else {
      answer.accept(names);
    }
  }

  /**
   * Takes over from the epoch before what outlives it: of its services alone, which may be none.
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

  /** The last services that were made until now. */
  private synchronized @Nullable TableServices outlived() {
    var made = services;
    return made == null ? former : made;
  }

  private void load() {
    whenReady(ready -> {}, problem -> LOG.warn("No gRPC services: {}", problem.publicMessage()));
  }

  /** The services, if they are there. */
  public @Nullable TableServices ifReady() {
    return services;
  }

  /**
   * Asks for them.
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
    List<Waiter> told;
    synchronized (this) {
      // Where another epoch has begun meanwhile, it is that one which has taken over.
      if (former != null && equals(next)) {
        made.succeed(former);
      }
      former = null;
      services = made;
      told = takeWaiting();
    }
    if (equals(next)) {
      told.forEach(each -> each.ready.accept(made));
    } else {
      moveTo(next, told);
    }
  }

  private static void moveTo(CatalogServices next, List<Waiter> moved) {
    moved.forEach(each -> next.whenReady(each.ready, each.failed));
  }

  private void failed(EvitaException problem) {
    List<Waiter> told;
    synchronized (this) {
      told = takeWaiting();
    }
    told.forEach(each -> each.failed.accept(problem));
  }

  /** The way to the services. */
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

    /** It may be another who has created it: with the schema read again, that is known. */
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
      var told = EvitaException.from(problem);
      switch (told.code()) {
        case SERIALIZATION_FAILURE, UNIQUE_VIOLATION -> {
          if (attempts < MOST_ATTEMPTS) {
            run();
          } else {
            call.work().fail(told);
          }
        }
        case CATALOG_CHANGED -> {
          if (!call.work().restart()) {
            call.work().fail(told);
          }
        }
        case READ_ONLY, PERMISSION_DENIED -> {
          if (numbers == null) {
            call.work().fail(told);
          } else {
            LOG.warn(
                "Names of new services and numbers of new fields are not kept: {}",
                told.publicMessage());
            make(numbers.unkept());
          }
        }
        default -> call.work().fail(told);
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
