// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.Arguments;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Schema;
import dev.evita.api.Script;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.work.BlockingExecution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Opens the engine of the configured database. */
final class Database {

  private Database() {}

  /**
   * Opens an existing database; with an init script, also a new one, and executes the script.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}, {@code DATABASE_UNREACHABLE}, {@code
   *     INVALID_SCRIPT}
   */
  static Engine open(DatabaseOptions options) {
    var address = Objects.requireNonNull(options.db());
    var url = JdbcUrl.of(address);
    var script = options.init() == null ? null : read(options.init());
    if (script == null) {
      url.requireFile();
    }
    var made = url.filesToMake();
    var engine = JdbcEngine.open(address, options.jdbcOptions(script != null || url.inMemory()));
    if (script != null) {
      initialize(engine, script, options, made);
    }
    try {
      requireSchemas(engine, options.schemas());
      return engine;
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  /** Opens a database, and creates an empty one if it does not exist. */
  static Engine create(DatabaseOptions options) {
    return JdbcEngine.open(Objects.requireNonNull(options.db()), options.jdbcOptions(true));
  }

  private static void requireSchemas(Engine engine, List<String> names) {
    var known = engine.catalog().schemas().stream().map(Schema::name).toList();
    for (var name : names) {
      if (!known.contains(name)) {
        throw new EvitaException(
            ErrorCode.INVALID_CONFIGURATION,
            "schemas contains '"
                + name
                + "', which does not exist in the database; expected exact schema names");
      }
    }
  }

  /** Executes the script. If it fails, a database that was created for it is deleted. */
  private static void initialize(
      Engine engine, String script, DatabaseOptions options, List<Path> made) {
    try {
      run(engine, script, options);
    } catch (RuntimeException e) {
      engine.close();
      made.forEach(file -> delete(file, e));
      throw e;
    }
  }

  private static void delete(Path file, RuntimeException failure) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static String read(Path init) {
    try {
      return Files.readString(init);
    } catch (NoSuchFileException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "init script " + init + " does not exist; check --init",
          e);
    } catch (IOException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "init script " + init + " cannot be read as UTF-8 text; check --init",
          e);
    }
  }

  private static void run(Engine engine, String script, DatabaseOptions options) {
    try {
      BlockingExecution.run(engine.prepare(Script.of(script)), Arguments.NONE, row -> {});
      engine.refresh();
    } catch (EvitaException e) {
      throw new EvitaException(
          e.code(), "init script " + options.init() + " failed: " + e.publicMessage(), e);
    }
  }
}
