// SPDX-License-Identifier: Apache-2.0
/** Where handlers come from: a directory or a table; and their reload. */
@NullMarked
package dev.evita.externalapi.sql.store;

import org.jspecify.annotations.NullMarked;
