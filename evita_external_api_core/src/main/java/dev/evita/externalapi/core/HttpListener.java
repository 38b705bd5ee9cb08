// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

/**
 * What the connections of one port have in common.
 *
 * @param hosts that their requests may name
 * @param limit of their number
 */
record HttpListener(ExternalApiServer server, AllowedHosts hosts, ConnectionLimit limit) {}
