// SPDX-License-Identifier: Apache-2.0
/** Compiled handlers, the table of their routes, and the handling of a request. */
@NullMarked
package dev.evita.externalapi.sql.run;

import org.jspecify.annotations.NullMarked;
