// SPDX-License-Identifier: Apache-2.0
/** Handlers in Java, of the program that embeds the server. */
@NullMarked
package dev.evita.externalapi.sql.program;

import org.jspecify.annotations.NullMarked;
