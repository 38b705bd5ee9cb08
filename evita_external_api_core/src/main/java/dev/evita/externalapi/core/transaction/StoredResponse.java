// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

import java.util.Map;

/**
 * The response to a write, stored in case the write is sent again.
 *
 * @param status of HTTP; 200 for protocols without one
 * @param headers other than the content type, in their order; no value has a line break
 * @param body a text; the caller encodes binary bodies
 */
public record StoredResponse(
    int status, String contentType, Map<String, String> headers, String body) {}
