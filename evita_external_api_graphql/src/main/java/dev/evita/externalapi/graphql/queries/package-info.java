// SPDX-License-Identifier: Apache-2.0
/** Compiles queries and subscriptions; uses {@code plan} and the packages that it uses. */
@NullMarked
package dev.evita.externalapi.graphql.queries;

import org.jspecify.annotations.NullMarked;
