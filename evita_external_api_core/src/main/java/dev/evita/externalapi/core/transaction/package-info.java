// SPDX-License-Identifier: Apache-2.0
/**
 * Writes in one transaction: retries after conflicts, idempotency keys, conditional requests. Uses
 * {@code work}.
 */
@NullMarked
package dev.evita.externalapi.core.transaction;

import org.jspecify.annotations.NullMarked;
