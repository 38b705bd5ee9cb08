// SPDX-License-Identifier: Apache-2.0
/** Sends the responses of handlers. */
@NullMarked
package dev.evita.externalapi.sql.respond;

import org.jspecify.annotations.NullMarked;
