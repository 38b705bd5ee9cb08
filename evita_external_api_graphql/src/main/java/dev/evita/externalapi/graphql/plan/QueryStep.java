// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

/**
 * A part of an answer that comes from one source, and the fixed JSON before it.
 *
 * @param nullable whether the schema lets null stand in its place
 */
public record QueryStep<S>(byte[] before, S source, boolean nullable, FieldPosition position) {}
