// SPDX-License-Identifier: Apache-2.0
/**
 * Compiled operations ({@code OperationVariant}), the plans that arguments make of them ({@code
 * BoundPlan}), and the runs of queries and mutations; uses {@code schema}, {@code input}, {@code
 * model} and {@code request}.
 */
@NullMarked
package dev.evita.externalapi.graphql.plan;

import org.jspecify.annotations.NullMarked;
