// SPDX-License-Identifier: Apache-2.0
/**
 * WebSockets, event streams, batches and entity tags; uses {@code subscriptions}, {@code
 * documents}, {@code plan}, {@code input} and {@code request}.
 */
@NullMarked
package dev.evita.externalapi.graphql.http;

import org.jspecify.annotations.NullMarked;
