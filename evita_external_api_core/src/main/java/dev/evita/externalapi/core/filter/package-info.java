// SPDX-License-Identifier: Apache-2.0
/** Filter semantics that all protocols share. Depends on no other package. */
@NullMarked
package dev.evita.externalapi.core.filter;

import org.jspecify.annotations.NullMarked;
