// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles and executes inserts, updates and deletes, with conditions and nested rows; uses {@code
 * reads}, {@code routines} and the packages that they use.
 */
@NullMarked
package dev.evita.externalapi.rest.writes;

import org.jspecify.annotations.NullMarked;
