// SPDX-License-Identifier: Apache-2.0
/**
 * Executes prepared operations and transactions on connections; uses {@code connection}, {@code
 * dialect}, {@code health}, {@code sql} and {@code value}.
 */
@NullMarked
package dev.evita.engine.jdbc.run;

import org.jspecify.annotations.NullMarked;
