// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.Execution;
import dev.evita.api.RowShape;

/** Work that is no single run of the engine, and of which only the cancel matters. */
public interface Cancellation extends Execution {

  @Override
  default RowShape shape() {
    return RowShape.NONE;
  }

  @Override
  default int statements() {
    return 0;
  }

  /** It is never paused. */
  @Override
  default void resume() {}
}
