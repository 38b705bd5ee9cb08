// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.store;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.Route;
import dev.evita.externalapi.sql.declaration.DeclarationParser;
import dev.evita.externalapi.sql.declaration.HandlerDeclaration;
import dev.evita.externalapi.sql.run.BrokenHandler;
import dev.evita.externalapi.sql.run.Handler;
import dev.evita.externalapi.sql.run.SqlHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes handlers of their texts, for one catalog epoch. Immutable; may block on the engine. */
public final class HandlerCompiler {

  /** The server's own paths, also those that it may have later. */
  private static final Route SYSTEM = Route.below("/system");

  private final SqlHandler.Scope scope;
  private final List<Route> taken;

  /**
   * @param taken the routes of other APIs
   */
  public HandlerCompiler(SqlHandler.Scope scope, List<Route> taken) {
    this.scope = scope;
    this.taken = new ArrayList<>(taken);
    this.taken.add(SYSTEM);
  }

  /**
   * Compiles handlers.
   *
   * @param texts by name
   * @param keepsBroken whether one that does not compile becomes a {@link BrokenHandler}
   * @throws EvitaException {@code INVALID_CONFIGURATION} for a faulty handler, with name and line
   */
  public List<Handler> compile(Map<String, String> texts, boolean keepsBroken) {
    var all = new ArrayList<Handler>();
    texts.forEach((name, text) -> all.add(compile(name, text, keepsBroken)));
    all.forEach(this::requireFree);
    return all;
  }

  private Handler compile(String name, String text, boolean keepsBroken) {
    var declaration = DeclarationParser.parse(name, text);
    try {
      return SqlHandler.compile(declaration, scope);
    } catch (EvitaException e) {
      if (!keepsBroken) {
        throw e;
      }
      return new BrokenHandler(declaration, e);
    }
  }

  /**
   * Rejects a route within another API's, which would never match.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  public void requireFree(Handler handler) {
    for (var route : handler.routes()) {
      for (var other : taken) {
        if (other.matches(route.fixedPath())) {
          throw HandlerDeclaration.fault(
              handler.name(),
              1,
              "the route '%s' is a path of another API (%s); choose another"
                  .formatted(route, other.path()));
        }
      }
    }
  }
}
