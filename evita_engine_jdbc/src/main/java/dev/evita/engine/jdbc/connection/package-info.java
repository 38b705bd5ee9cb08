// SPDX-License-Identifier: Apache-2.0
/** Connections: how they are opened, pooled and probed; uses {@code dialect} and {@code health}. */
@NullMarked
package dev.evita.engine.jdbc.connection;

import org.jspecify.annotations.NullMarked;
