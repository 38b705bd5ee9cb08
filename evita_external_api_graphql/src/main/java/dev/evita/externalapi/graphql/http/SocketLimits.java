// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import java.time.Duration;

/**
 * The limits of one WebSocket.
 *
 * @param maxSubscriptions the maximum number of concurrent operations
 * @param connectionInitTimeout the longest wait for {@code connection_init}
 */
public record SocketLimits(int maxSubscriptions, Duration connectionInitTimeout) {}
