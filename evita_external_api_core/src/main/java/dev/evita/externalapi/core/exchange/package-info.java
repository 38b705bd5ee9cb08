// SPDX-License-Identifier: Apache-2.0
/**
 * Requests and responses over streams of any kind, routes to APIs, failures as problem documents.
 * Uses all other packages but {@code insert} and {@code tls}.
 */
@NullMarked
package dev.evita.externalapi.core.exchange;

import org.jspecify.annotations.NullMarked;
