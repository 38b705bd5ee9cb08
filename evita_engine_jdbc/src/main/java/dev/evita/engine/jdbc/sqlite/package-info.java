// SPDX-License-Identifier: Apache-2.0
/** SQLite: dialect, catalog and codecs; uses {@code dialect} and {@code value}. */
@NullMarked
package dev.evita.engine.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
