// SPDX-License-Identifier: Apache-2.0
/**
 * The shared HTTP host: one Undertow server, one request path, one dispatcher, one set of limits
 * and errors for all protocols.
 *
 * <p>A protocol module implements {@link dev.evita.externalapi.core.exchange.ApiProvider}: it
 * translates requests to operations and rows to bytes. Everything else happens here.
 */
@NullMarked
package dev.evita.externalapi.core;

import org.jspecify.annotations.NullMarked;
