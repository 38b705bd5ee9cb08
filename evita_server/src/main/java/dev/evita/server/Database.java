// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.Arguments;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Script;
import dev.evita.engine.jdbc.JdbcEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Opens the engine that the options name. */
final class Database {

  private Database() {}

  /**
   * Opens a database that exists; with an init script, one that need not, and runs the script.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}, {@code DATABASE_UNREACHABLE}, {@code
   *     INVALID_SCRIPT}
   */
  static Engine open(DatabaseOptions options) {
    var url = JdbcUrl.of(Objects.requireNonNull(options.db()));
    if (options.init() == null) {
      url.requireFile();
      return JdbcEngine.open(url.withoutExitHook(), options.jdbcOptions(url.inMemory()));
    }
    var script = read(options.init());
    var engine = create(options);
    try {
      run(engine, script, options);
      return engine;
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  /** Opens a database, and makes an empty one if there is none. */
  static Engine create(DatabaseOptions options) {
    var url = JdbcUrl.of(Objects.requireNonNull(options.db()));
    return JdbcEngine.open(url.withoutExitHook(), options.jdbcOptions(true));
  }

  private static String read(Path init) {
    try {
      return Files.readString(init);
    } catch (IOException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "init script " + init + " cannot be read as UTF-8 text; check --init",
          e);
    }
  }

  private static void run(Engine engine, String script, DatabaseOptions options) {
    try {
      BlockingRun.run(engine, Script.of(script), Arguments.NONE);
      engine.refresh();
    } catch (EvitaException e) {
      throw new EvitaException(
          e.code(), "init script " + options.init() + " failed: " + e.publicMessage(), e);
    }
  }
}
