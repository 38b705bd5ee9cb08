// SPDX-License-Identifier: Apache-2.0
/**
 * The transport: {@link dev.evita.http.HttpServer} accepts connections on a port, and each request
 * on one of them is a {@link dev.evita.http.HttpStream}, of HTTP/1.1 or HTTP/2 (RFC 9112, RFC
 * 9113).
 *
 * <p>Undertow accepts connections and parses HTTP/1.1; frames and streams of HTTP/2 are our own,
 * with Undertow's HPACK. Strict parsing, allowed hosts and connection limits are implemented here.
 * The package depends on neither engine nor API: a rejected request is described by a {@link
 * dev.evita.http.HttpFault}.
 */
@NullMarked
package dev.evita.http;

import org.jspecify.annotations.NullMarked;
