// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Classifies a driver's failures. Immutable. */
public abstract class ErrorRules {

  /**
   * The health of the engine after its storage has failed.
   *
   * @param fault {@code STORAGE_FAILED}
   */
  public Health afterStorageFault(EvitaException fault) {
    return Health.UP; // a database server handles its own storage
  }

  /** Whether a commit that failed this way was certainly rolled back. */
  public boolean isRolledBack(SQLException failure) {
    return false;
  }

  /** The code of a vendor-specific failure; null to use its SQLState. */
  protected abstract @Nullable ErrorCode code(SQLException failure);

  /** The code of an unknown name in a statement whose names are from the catalog. */
  protected ErrorCode unknownName(SQLException failure) {
    return ErrorCode.CATALOG_CHANGED;
  }

  /** The code of an unknown name in the call of a routine. */
  protected abstract ErrorCode unknownInCall(SQLException failure);

  /** The database's own message of a driver's failure. */
  protected String message(SQLException failure) {
    return String.valueOf(failure.getMessage());
  }

  /** The specific cause, if the database reports one that may be sent to clients. */
  protected @Nullable String details(SQLException failure) {
    return null;
  }

  /** The position of the fault in the statement, one-based; 0 if unknown. */
  public int position(SQLException failure) {
    return 0;
  }

  /** The remedy suggested by the database. */
  protected @Nullable String hint(SQLException failure) {
    return null;
  }
}
