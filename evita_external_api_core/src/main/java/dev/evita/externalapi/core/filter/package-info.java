// SPDX-License-Identifier: Apache-2.0
/** The meaning that the filters of all protocols share. Depends on no other room. */
@NullMarked
package dev.evita.externalapi.core.filter;

import org.jspecify.annotations.NullMarked;
