// SPDX-License-Identifier: Apache-2.0
/**
 * The carpool: executions of the same prepared operation that arrive while it is executing share
 * the next statement.
 */
@NullMarked
package dev.evita.externalapi.core.carpool;

import org.jspecify.annotations.NullMarked;
