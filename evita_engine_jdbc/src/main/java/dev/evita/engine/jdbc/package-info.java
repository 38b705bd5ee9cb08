// SPDX-License-Identifier: Apache-2.0
/**
 * An engine over JDBC: H2 embedded, SQLite, PostgreSQL, and others as far as jOOQ knows them.
 *
 * <p>{@link dev.evita.engine.jdbc.JdbcEngine} is the way in. jOOQ renders SQL once per prepared
 * operation; plain JDBC runs it.
 */
@NullMarked
package dev.evita.engine.jdbc;

import org.jspecify.annotations.NullMarked;
