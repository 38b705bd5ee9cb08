// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.RowSink;

/**
 * A sink whose last call may begin further statements. In a batch, it is called on a thread of its
 * own then, so that the other members do not wait for these statements.
 */
public interface ContinuingSink extends RowSink {

  /** Whether the last call of the present execution may block. */
  boolean continues();
}
