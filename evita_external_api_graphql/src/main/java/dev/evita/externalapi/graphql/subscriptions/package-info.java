// SPDX-License-Identifier: Apache-2.0
/** Live queries and streams; uses {@code documents}, {@code plan} and {@code request}. */
@NullMarked
package dev.evita.externalapi.graphql.subscriptions;

import org.jspecify.annotations.NullMarked;
