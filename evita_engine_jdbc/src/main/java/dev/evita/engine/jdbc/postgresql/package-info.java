// SPDX-License-Identifier: Apache-2.0
/** PostgreSQL: dialect, catalog, routines and codecs; uses {@code dialect} and {@code value}. */
@NullMarked
package dev.evita.engine.jdbc.postgresql;

import org.jspecify.annotations.NullMarked;
