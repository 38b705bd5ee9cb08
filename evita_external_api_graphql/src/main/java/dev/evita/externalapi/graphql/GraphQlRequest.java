// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as GraphQL over HTTP has it.
 *
 * @param variables JSON by name; empty where none are given
 * @param operationName null where none is given
 */
record GraphQlRequest(
    String query, Map<String, @Nullable Object> variables, @Nullable String operationName) {}
