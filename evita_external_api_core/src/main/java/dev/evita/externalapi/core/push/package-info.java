// SPDX-License-Identifier: Apache-2.0
/**
 * Long-lived connections: WebSockets and event streams, one message at a time. Uses {@code work}
 * and {@code web}.
 */
@NullMarked
package dev.evita.externalapi.core.push;

import org.jspecify.annotations.NullMarked;
