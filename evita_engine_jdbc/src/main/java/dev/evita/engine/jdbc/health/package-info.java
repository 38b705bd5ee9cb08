// SPDX-License-Identifier: Apache-2.0
/** The health of the database and the durability of commits; uses {@code dialect}. */
@NullMarked
package dev.evita.engine.jdbc.health;

import org.jspecify.annotations.NullMarked;
