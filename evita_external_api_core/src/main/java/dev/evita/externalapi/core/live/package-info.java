// SPDX-License-Identifier: Apache-2.0
/**
 * Re-execution after table changes: live queries, change feeds, table versions, background work.
 * Uses {@code push} and {@code work}.
 */
@NullMarked
package dev.evita.externalapi.core.live;

import org.jspecify.annotations.NullMarked;
