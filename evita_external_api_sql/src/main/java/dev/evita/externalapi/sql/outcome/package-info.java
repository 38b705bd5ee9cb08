// SPDX-License-Identifier: Apache-2.0
/** The columns of a handler's rows, and the response that they describe. */
@NullMarked
package dev.evita.externalapi.sql.outcome;

import org.jspecify.annotations.NullMarked;
