// SPDX-License-Identifier: Apache-2.0
/** Generates the schema and executes introspection; uses {@code model} and {@code input}. */
@NullMarked
package dev.evita.externalapi.graphql.schema;

import org.jspecify.annotations.NullMarked;
