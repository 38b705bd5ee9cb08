// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.util.HeaderMap;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request (RFC 9113, section 8.3.1).
 *
 * @param method as sent
 * @param target the path and query as sent; empty for CONNECT
 * @param authority null if the request has none
 * @param fields without pseudo-header fields; names in lower case. Owned by the receiver
 * @param tooLarge whether fields are missing because the head exceeds the limits
 */
public record Http2Head(
    String method, String target, @Nullable String authority, HeaderMap fields, boolean tooLarge) {}
