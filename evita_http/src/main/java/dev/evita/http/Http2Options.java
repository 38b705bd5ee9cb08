// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.time.Duration;

/**
 * The limits and timeouts of a connection.
 *
 * @param maxHeaderBytes the largest header section: names, values, and 32 bytes for each field (RFC
 *     9113, section 6.5.2). A larger one is marked {@link Http2Head#tooLarge}
 * @param maxFields the most fields of a header section; more are too large as well
 * @param headTimeout time within which a header block must be complete
 * @param heartbeat silence after which a client with open streams is sent a PING; after three times
 *     as much the connection is closed
 * @param idleTimeout silence after which a connection without streams is closed
 */
public record Http2Options(
    int maxHeaderBytes,
    int maxFields,
    Duration headTimeout,
    Duration heartbeat,
    Duration idleTimeout) {}
