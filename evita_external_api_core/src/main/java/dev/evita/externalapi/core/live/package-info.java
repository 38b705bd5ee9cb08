// SPDX-License-Identifier: Apache-2.0
/**
 * What is read again when tables change: live queries, change feeds, table versions, work in the
 * background. Uses {@code push} and {@code work}.
 */
@NullMarked
package dev.evita.externalapi.core.live;

import org.jspecify.annotations.NullMarked;
