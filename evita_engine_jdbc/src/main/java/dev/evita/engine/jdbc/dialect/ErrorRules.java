// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The meaning of a driver's failures. Immutable. */
public abstract class ErrorRules {

  /**
   * What the engine can still do after its storage has failed.
   *
   * @param fault {@code STORAGE_FAILED}
   */
  public Health afterStorageFault(EvitaException fault) {
    return Health.UP; // a database server sees to its own storage
  }

  /** Whether a commit that failed so has certainly left nothing behind. */
  public boolean isRolledBack(SQLException failure) {
    return false;
  }

  /** The code of a vendor's failure; null to go by its SQLState. */
  protected abstract @Nullable ErrorCode code(SQLException failure);

  /** The code of a name that is not there in a statement whose names are from the catalog. */
  protected ErrorCode unknownName(SQLException failure) {
    return ErrorCode.CATALOG_CHANGED;
  }

  /** The code of a name that is not there, where a routine was called. */
  protected abstract ErrorCode unknownInCall(SQLException failure);

  /** The database's own words in a driver's failure. */
  protected String message(SQLException failure) {
    return String.valueOf(failure.getMessage());
  }

  /** The specific cause, where the database reports one that may be shown to clients. */
  protected @Nullable String details(SQLException failure) {
    return null;
  }

  /** The remedy that the database proposes. */
  protected @Nullable String hint(SQLException failure) {
    return null;
  }
}
