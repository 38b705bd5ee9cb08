// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

/**
 * A part of a response that comes from one source, and the fixed JSON before it.
 *
 * @param nullable whether the schema allows null in its place
 */
public record QueryStep<S>(byte[] before, S source, boolean nullable, FieldPosition position) {}
