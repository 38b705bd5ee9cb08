// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.Execution;
import dev.evita.api.RowShape;

/** Work that is no single execution of the engine, and that can only be cancelled. */
public interface Cancellation extends Execution {

  @Override
  default RowShape shape() {
    return RowShape.NONE;
  }

  @Override
  default int statements() {
    return 0;
  }

  /** Never called, as it is never paused. */
  @Override
  default void resume() {}
}
