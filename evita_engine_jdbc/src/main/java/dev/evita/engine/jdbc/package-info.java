// SPDX-License-Identifier: Apache-2.0
/**
 * An engine over JDBC: embedded H2, SQLite, PostgreSQL, and others as far as jOOQ supports them.
 *
 * <p>{@link dev.evita.engine.jdbc.JdbcEngine} is the entry point. jOOQ renders SQL once per
 * prepared operation; plain JDBC executes it.
 */
@NullMarked
package dev.evita.engine.jdbc;

import org.jspecify.annotations.NullMarked;
