// SPDX-License-Identifier: Apache-2.0
/**
 * The limits that requests are held to, and the counters that enforce them. Depends on no other
 * room.
 */
@NullMarked
package dev.evita.externalapi.core.limits;

import org.jspecify.annotations.NullMarked;
