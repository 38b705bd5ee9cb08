// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.externalapi.sql.declaration.RoutePattern;
import dev.evita.externalapi.sql.declaration.Stage;
import dev.evita.externalapi.sql.program.JavaHandler;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A handler in Java under one route. */
public record ProgramHandler(RoutePattern route, int priority, JavaHandler code)
    implements Handler {

  @Override
  public String name() {
    return "in Java for " + route;
  }

  @Override
  public List<RoutePattern> routes() {
    return List.of(route);
  }

  @Override
  public Stage stage() {
    return Stage.HANDLER;
  }

  /** By the method, as the code may do anything. */
  @Override
  public boolean readOnly() {
    var method = route.method();
    return method != null && List.of("GET", "HEAD", "QUERY").contains(method);
  }

  @Override
  public @Nullable Duration timeout() {
    return null;
  }
}
