// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import java.time.Duration;

/**
 * The limits of one WebSocket.
 *
 * @param maxSubscriptions operations under way at one time
 * @param connectionInitTimeout longest wait for {@code connection_init}
 */
public record SocketLimits(int maxSubscriptions, Duration connectionInitTimeout) {}
