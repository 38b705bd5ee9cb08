// SPDX-License-Identifier: Apache-2.0
/**
 * The interface to a database's dialect, a type for each concern that {@code Dialect} bundles, with
 * bind values and SQL text; uses {@code value}.
 */
@NullMarked
package dev.evita.engine.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
