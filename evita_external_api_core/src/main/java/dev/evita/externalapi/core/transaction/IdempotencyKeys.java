// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.Comparison;
import dev.evita.api.Delete;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.core.work.Work;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The responses to requests with an {@code Idempotency-Key}, stored in a table of the database.
 * Each is stored in the transaction of the write that it belongs to, so that neither is ever kept
 * without the other.
 *
 * <p>Thread-safe; for one catalog epoch, and for all protocols.
 */
public final class IdempotencyKeys {

  /** The header, and in lower case the metadata, that contains the key. */
  public static final String HEADER = "Idempotency-Key";

  /** The header, and in lower case the metadata, of a replayed response. */
  public static final String REPLAYED = "Idempotent-Replayed";

  private static final Logger LOG = LoggerFactory.getLogger(IdempotencyKeys.class);

  /** The longest key, in characters. */
  public static final int MAX_LENGTH = 255;

  private static final long PURGE_MILLIS = 60_000;

  private static final List<String> COLUMNS =
      List.of("id", "fingerprint", "created_ms", "status", "content_type", "headers", "body");
  private static final int FINGERPRINT = 1;
  private static final int CREATED = 2;
  private static final int STATUS = 3;
  private static final int CONTENT_TYPE = 4;
  private static final int HEADERS = 5;
  private static final int BODY = 6;

  private final Statements statements;
  private final @Nullable Table table;
  private final List<String> columns;
  private final long retentionMillis;
  private final Creation creation = new Creation();
  private final AtomicLong purged = new AtomicLong(System.currentTimeMillis());

  /** A stored response. */
  record Stored(String fingerprint, long createdMillis, StoredResponse response) {}

  /**
   * @param source the catalog including the server's own tables
   */
  public IdempotencyKeys(Catalog source, Statements statements, Duration retention) {
    this.statements = statements;
    this.table = SystemTable.IDEMPOTENCY_KEYS.in(source).orElse(null);
    this.columns = table == null ? List.of() : SystemTable.columns(table, COLUMNS);
    this.retentionMillis = retention.toMillis();
  }

  /**
   * Hashes the parts that identify a request, each delimited from the next.
   *
   * @return 64 hexadecimal digits
   */
  public static String fingerprint(List<byte[]> parts) {
    try {
      var hash = MessageDigest.getInstance("SHA-256");
      for (var part : parts) {
        hash.update(part);
        hash.update((byte) 0);
      }
      return HexFormat.of().formatHex(hash.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }

  /**
   * Reads a key.
   *
   * @throws EvitaException {@code MALFORMED_REQUEST} if it is empty or too long; {@code
   *     UNSUPPORTED_OPERATION} if keys are disabled; {@code DATABASE_ERROR} if a foreign table has
   *     the name of the server's table
   */
  public String require(String header) {
    if (retentionMillis == 0) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          HEADER + " is disabled",
          null,
          "Set idempotency-retention, or omit the key",
          null);
    }
    var key = header.strip();
    if (key.isEmpty() || key.length() > MAX_LENGTH) {
      throw new EvitaException(
          HttpErrorCode.MALFORMED_REQUEST,
          HEADER + " has " + key.length() + " characters; expected 1 to " + MAX_LENGTH);
    }
    if (table != null && columns.isEmpty()) {
      throw SystemTable.lacks(table, COLUMNS);
    }
    return key;
  }

  /** Whether the table exists; if not, {@link #create} creates it. */
  public boolean ready() {
    return table != null;
  }

  /**
   * Creates the table, and has the request handled again. May block on the engine. Of several
   * concurrent first requests, one creates it and the others wait: databases do not create the same
   * table twice at a time without failures or timeouts.
   *
   * @param refuse reports the failure, or restarts, as defined by the protocol
   */
  public void create(Work work, Consumer<EvitaException> refuse) {
    var waiting = new Waiting(refuse);
    if (!creation.begin(work, waiting)) {
      return;
    }
    SystemTable.IDEMPOTENCY_KEYS.create(
        work,
        statements,
        problem -> {
          var others = creation.end();
          created(work, problem, refuse);
          others.forEach(Waiting::retry);
        });
  }

  private static void created(
      Work work, @Nullable EvitaException problem, Consumer<EvitaException> refuse) {
    if (problem == null) {
      refuse.accept(justCreated());
    } else if (!mayBeThere(problem)) {
      refuse.accept(problem);
    } else if (!work.restart()) {
      refuse.accept(
          new EvitaException(
              ErrorCode.UNSUPPORTED_OPERATION,
              HEADER + " requires a table, which could not be created",
              problem.publicMessage(),
              "Have it created: "
                  + SystemTable.IDEMPOTENCY_KEYS.script().replaceAll("\\s+", " ").strip(),
              problem));
    }
  }

  /** Whether it may have failed because another server created the table at the same moment. */
  private static boolean mayBeThere(EvitaException problem) {
    return problem.code().category() == ErrorCode.Category.USER
        || problem.code() == ErrorCode.DATABASE_ERROR;
  }

  private static EvitaException justCreated() {
    return new EvitaException(
        ErrorCode.CATALOG_CHANGED,
        "The table "
            + SystemTable.IDEMPOTENCY_KEYS.name()
            + " was just created; retry the request");
  }

  /** The creation of the table in progress, and the requests that wait for it. Thread-safe. */
  private static final class Creation {

    // Guarded by this; null if no request creates it.
    private @Nullable List<Waiting> others;

    /** Returns true if the caller is the one to create it; else the work waits. */
    synchronized boolean begin(Work work, Waiting caller) {
      if (others == null) {
        others = new ArrayList<>();
        return true;
      }
      work.started(caller);
      others.add(caller);
      return false;
    }

    synchronized List<Waiting> end() {
      var waited = others;
      others = null;
      return waited == null ? List.of() : waited;
    }
  }

  /** A request that waits while another one creates the table. */
  private static final class Waiting implements Execution {

    private final AtomicReference<@Nullable Consumer<EvitaException>> refuse;

    Waiting(Consumer<EvitaException> refuse) {
      this.refuse = new AtomicReference<>(refuse);
    }

    /** Retries: the other request may have failed for a reason of its own, such as its deadline. */
    void retry() {
      end(justCreated());
    }

    @Override
    public void cancel(ErrorCode reason) {
      end(new EvitaException(reason, "The table of idempotency keys was not created in time"));
    }

    private void end(EvitaException outcome) {
      var next = refuse.getAndSet(null);
      if (next != null) {
        next.accept(outcome);
      }
    }

    @Override
    public RowShape shape() {
      return RowShape.NONE;
    }

    @Override
    public int statements() {
      return 0;
    }

    @Override
    public void resume() {
      throw new IllegalStateException("no rows to resume");
    }
  }

  private Table table() {
    var found = table;
    if (found == null) {
      throw new IllegalStateException("ready() was not checked");
    }
    return found;
  }

  private Filter byKey() {
    return new Filter.Compare(columns.getFirst(), Comparison.EQUAL, new Parameter(0));
  }

  /** Prepares the look-up by a key, its one argument; rows are read by {@link #read}. */
  Prepared lookup() {
    var outputs = columns.stream().<Output>map(Output.Column::new).toList();
    return statements.prepare(Select.of(table().name(), outputs).where(byKey()));
  }

  static Stored read(Row row) {
    var headers = new LinkedHashMap<String, String>();
    String.valueOf(row.textAt(HEADERS))
        .lines()
        .forEach(line -> {
          var colon = line.indexOf(": ");
          headers.put(line.substring(0, colon), line.substring(colon + 2));
        });
    var response =
        new StoredResponse(
            (int) row.longAt(STATUS),
            String.valueOf(row.textAt(CONTENT_TYPE)),
            headers,
            String.valueOf(row.textAt(BODY)));
    return new Stored(String.valueOf(row.textAt(FINGERPRINT)), row.longAt(CREATED), response);
  }

  /** Whether the response has expired, so that its key is free again. */
  boolean isExpired(Stored stored) {
    return stored.createdMillis() < System.currentTimeMillis() - retentionMillis;
  }

  /** Prepares the deletion of a key, its one argument. */
  Prepared deletion() {
    return statements.prepare(new Delete(table().name(), byKey(), List.of()));
  }

  /** Prepares the insertion of a response. */
  Prepared insertion() {
    return statements.prepare(
        new Insert(table().name(), columns, new Parameter(0), null, List.of()));
  }

  /** The arguments of {@link #insertion}. */
  static Arguments stored(String key, String fingerprint, StoredResponse response) {
    var headers = new StringBuilder();
    response
        .headers()
        .forEach((name, value) -> headers.append(name).append(": ").append(value).append('\n'));
    var row =
        new @Nullable Object[] {
          key,
          fingerprint,
          System.currentTimeMillis(),
          response.status(),
          response.contentType(),
          headers.toString(),
          response.body()
        };
    return Arguments.of(new InsertRows(List.<@Nullable Object[]>of(row)));
  }

  /**
   * Deletes all expired responses from time to time. Called after a response, on a worker; failures
   * are logged and do not affect the response.
   */
  void purge() {
    var now = System.currentTimeMillis();
    var last = purged.get();
    if (now - last <= PURGE_MILLIS || !purged.compareAndSet(last, now)) {
      return;
    }
    var purging = new Purging();
    try {
      var old = new Filter.Compare(columns.get(CREATED), Comparison.LESS, new Parameter(0));
      statements
          .prepare(new Delete(table().name(), old, List.of()))
          .run(Arguments.of(now - retentionMillis), null, purging);
    } catch (RuntimeException e) {
      purging.failed(EvitaException.from(e));
    }
  }

  private record Purging() implements RowSink {
    @Override
    public Demand row(Row row) {
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {}

    @Override
    public void failed(EvitaException problem) {
      LOG.warn("Failed to purge expired idempotency keys: {}", problem.publicMessage());
    }
  }

  /** Encodes a text as a part of a fingerprint. */
  public static byte[] part(@Nullable String text) {
    return String.valueOf(text).getBytes(StandardCharsets.UTF_8);
  }
}
