// SPDX-License-Identifier: Apache-2.0
/**
 * Input coercion, variables and selections of an operation; uses {@code model} and {@code request}.
 */
@NullMarked
package dev.evita.externalapi.graphql.input;

import org.jspecify.annotations.NullMarked;
