// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles operations to SQL by jOOQ; uses {@code dialect} and {@code value}, and no connection.
 */
@NullMarked
package dev.evita.engine.jdbc.sql;

import org.jspecify.annotations.NullMarked;
