// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.sql.declaration.RoutePattern;
import dev.evita.externalapi.sql.program.JavaHandler;
import dev.evita.externalapi.sql.run.ProgramHandler;
import java.util.ArrayList;
import java.util.List;

/**
 * Serves HTTP handlers: in SQL, from files or a table, and in Java; and static files. Thread-safe.
 */
public final class SqlProvider implements ApiProvider {

  private final SqlOptions options;
  private final List<ProgramHandler> programs;

  /** Creates a provider with {@link SqlOptions#DEFAULT}; for {@link java.util.ServiceLoader}. */
  public SqlProvider() {
    this(SqlOptions.DEFAULT);
  }

  /** Creates a provider with the given options. */
  public SqlProvider(SqlOptions options) {
    this(options, List.of());
  }

  private SqlProvider(SqlOptions options, List<ProgramHandler> programs) {
    this.options = options;
    this.programs = List.copyOf(programs);
  }

  /** Returns the same provider with a handler in Java, of priority 0. */
  public SqlProvider handler(String route, JavaHandler handler) {
    return handler(route, 0, handler);
  }

  /**
   * Returns the same provider with a handler in Java.
   *
   * @param route as in SQL, for example {@code GET /users/:handle}
   * @param priority among all handlers, the highest first
   * @throws EvitaException {@code INVALID_CONFIGURATION} for a faulty route
   */
  public SqlProvider handler(String route, int priority, JavaHandler handler) {
    try {
      var all = new ArrayList<>(programs);
      all.add(new ProgramHandler(RoutePattern.parse(route), priority, handler));
      return new SqlProvider(options, all);
    } catch (IllegalArgumentException e) {
      throw new EvitaException(ErrorCode.INVALID_CONFIGURATION, String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public String name() {
    return "sql";
  }

  @Override
  public boolean servesOtherPaths() {
    return true;
  }

  @Override
  public Api api(ApiContext context) {
    return new SqlApi(context, options, programs);
  }
}
