// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An operation with all that its run needs.
 *
 * @param bound the operation of each step; null for introspection
 * @param variables as the request gives them
 * @param cost as {@link Cost} estimates it
 */
@SuppressWarnings("ArrayRecordComponent")
record Planned(
    Variant variant,
    Source.@Nullable Bound[] bound,
    Map<String, @Nullable Object> variables,
    double cost) {}
