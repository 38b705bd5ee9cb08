// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

import java.util.Map;

/**
 * The answer to a write, as it is kept for the case that the write is sent again.
 *
 * @param status of HTTP; 200 for protocols that have none
 * @param headers beside the content type, in their order; no value has a line break
 * @param body a text; bytes that are none are encoded by whoever stores them
 */
public record StoredResponse(
    int status, String contentType, Map<String, String> headers, String body) {}
