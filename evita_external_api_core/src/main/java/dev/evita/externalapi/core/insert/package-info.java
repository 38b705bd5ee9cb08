// SPDX-License-Identifier: Apache-2.0
/**
 * Nested inserts: planning of levels, and the rows that are returned. Uses {@code transaction} and
 * {@code work}.
 */
@NullMarked
package dev.evita.externalapi.core.insert;

import org.jspecify.annotations.NullMarked;
