// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.graphql;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a POST. */
public record GraphQlRequest(
    String query, @Nullable String operationName, @Nullable Map<String, Object> variables) {}
