// SPDX-License-Identifier: Apache-2.0
/**
 * H2: dialect, catalog, and the writing and recovery of its files; uses {@code dialect}, {@code
 * health} and {@code value}.
 */
@NullMarked
package dev.evita.engine.jdbc.h2;

import org.jspecify.annotations.NullMarked;
