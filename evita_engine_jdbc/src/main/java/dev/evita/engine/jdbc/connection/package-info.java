// SPDX-License-Identifier: Apache-2.0
/** Opening, pooling and probing of connections; uses {@code dialect} and {@code health}. */
@NullMarked
package dev.evita.engine.jdbc.connection;

import org.jspecify.annotations.NullMarked;
