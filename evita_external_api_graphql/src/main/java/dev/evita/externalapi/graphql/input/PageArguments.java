// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import org.jspecify.annotations.Nullable;

/** The arguments of a connection, as converted by {@link Inputs}; null if absent. */
public record PageArguments(
    @Nullable Object where,
    @Nullable Object orderBy,
    @Nullable Object first,
    @Nullable Object last,
    @Nullable Object after,
    @Nullable Object before) {}
