// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.Arguments;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Script;
import dev.evita.api.Table;
import dev.evita.externalapi.core.work.BlockingExecution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The demo's H2 file, created on first use.
 *
 * <p>It is built under another name and then renamed, so that a file with the right name is
 * complete. A lock file excludes other processes during the lifetime of this one.
 */
final class DemoDatabase implements AutoCloseable {

  /** Incremented when tables or rows change: an old file is kept and a new one created. */
  private static final String NAME = "shop-1";

  private static final String BUILDING = NAME + "-building";
  private static final int BATCH = 2_000;

  private final Path directory;
  private final FileChannel lock;

  private DemoDatabase(Path directory, FileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Locks the directory, and creates it if necessary.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} if it is not writable or another process
   *     has locked it
   */
  static DemoDatabase in(Path directory) {
    try {
      Files.createDirectories(directory);
      var channel =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      return new DemoDatabase(directory, locked(channel, directory));
    } catch (IOException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "cannot write to " + directory + "; choose another directory with --data",
          e);
    }
  }

  private static FileChannel locked(FileChannel channel, Path directory) throws IOException {
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // locked by this process; reported as if by another
    }
    channel.close();
    throw new EvitaException(
        ErrorCode.INVALID_CONFIGURATION,
        "another evita demo is running on "
            + directory
            + "; stop it, or choose another directory with --data");
  }

  /** Whether the rows must be created first. */
  boolean missing() {
    return !Files.exists(file(NAME));
  }

  /** The options that open it. */
  DatabaseOptions options() {
    return options(NAME);
  }

  private DatabaseOptions options(String name) {
    return DatabaseOptions.DEFAULT.withDb("jdbc:h2:file:" + directory.resolve(name));
  }

  private Path file(String name) {
    return directory.resolve(name + ".mv.db");
  }

  /** Creates it. An interrupted earlier attempt is discarded. */
  void create(ProgressReport progress) {
    try {
      Files.deleteIfExists(file(BUILDING));
      try (var engine = Database.create(options(BUILDING))) {
        script(engine, "demo-tables.sql");
        new DemoData().load((target, rows) -> insert(engine, target, rows, progress));
        script(engine, "demo-constraints.sql");
      }
      Files.move(file(BUILDING), file(NAME), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new EvitaException(
          ErrorCode.DATABASE_ERROR, "the demo database cannot be written to " + directory, e);
    }
    progress.end();
  }

  private static void script(Engine engine, String resource) {
    try (var stream = DemoDatabase.class.getResourceAsStream(resource)) {
      var text = new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
      BlockingExecution.run(engine.prepare(Script.of(text)), Arguments.NONE, row -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    engine.refresh();
  }

  private static void insert(
      Engine engine, DemoData.Target target, DemoData.Rows rows, ProgressReport progress) {
    var prepared = engine.prepare(operation(engine, target));
    var batch = new ArrayList<@Nullable Object[]>(BATCH);
    rows.each(row -> {
      batch.add(row);
      if (batch.size() == BATCH) {
        flush(prepared, batch, progress);
      }
    });
    flush(prepared, batch, progress);
  }

  private static void flush(
      Prepared prepared, List<@Nullable Object[]> batch, ProgressReport progress) {
    if (batch.isEmpty()) {
      return;
    }
    BlockingExecution.run(prepared, Arguments.of(new InsertRows(batch)), row -> {});
    progress.add(batch.size());
    batch.clear();
  }

  /** The insert by the database's own names, which H2 has folded. */
  private static Insert operation(Engine engine, DemoData.Target target) {
    var catalog = engine.catalog();
    var table =
        catalog.tables().stream()
            .filter(candidate -> catalog.apiName(candidate.name()).equals(target.table()))
            .findFirst()
            .orElseThrow();
    var columns = target.columns().stream().map(name -> column(engine, table, name)).toList();
    return new Insert(table.name(), columns, new Parameter(0), null, List.of());
  }

  private static String column(Engine engine, Table table, String apiName) {
    return table.columns().stream()
        .map(column -> column.name())
        .filter(name -> engine.catalog().apiName(table.name(), name).equals(apiName))
        .findFirst()
        .orElseThrow();
  }

  /** Releases the lock on the directory. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
