// SPDX-License-Identifier: Apache-2.0
/** Calls stored routines; uses {@code reads} and the packages that it uses. */
@NullMarked
package dev.evita.externalapi.rest.routines;

import org.jspecify.annotations.NullMarked;
