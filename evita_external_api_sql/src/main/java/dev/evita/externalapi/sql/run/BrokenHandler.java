// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.sql.declaration.HandlerDeclaration;
import dev.evita.externalapi.sql.declaration.RoutePattern;
import dev.evita.externalapi.sql.declaration.Stage;
import dev.evita.externalapi.sql.outcome.SqlErrorCode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handler that did not compile after a change of the schema: its requests fail, until it is
 * compiled again if the fault may end.
 */
public record BrokenHandler(HandlerDeclaration declaration, EvitaException cause)
    implements Handler {

  @Override
  public String name() {
    return declaration.name();
  }

  @Override
  public List<RoutePattern> routes() {
    return declaration.routes();
  }

  @Override
  public int priority() {
    return declaration.priority();
  }

  @Override
  public Stage stage() {
    return declaration.stage();
  }

  @Override
  public boolean readOnly() {
    return declaration.readOnly();
  }

  @Override
  public @Nullable Duration timeout() {
    return declaration.timeout();
  }

  /** Whether the same text may compile later: the database failed, or had no connection left. */
  public boolean mayRecover() {
    var category = cause.code().category();
    return category == ErrorCode.Category.RESOURCES || category == ErrorCode.Category.EXTERNAL;
  }

  /** Returns the failure of its requests. */
  EvitaException failure() {
    if (mayRecover()) {
      return cause;
    }
    return new EvitaException(
        SqlErrorCode.HANDLER_BROKEN, "The schema has changed, and " + cause.publicMessage(), cause);
  }
}
