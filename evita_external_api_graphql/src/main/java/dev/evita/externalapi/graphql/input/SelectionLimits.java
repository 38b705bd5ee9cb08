// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

/**
 * The limits of the selections of one operation.
 *
 * @param maxAliases the maximum number of aliases; those in fragments count at each place where
 *     they are used
 * @param maxRootFields the maximum number of fields at the root
 */
public record SelectionLimits(int maxAliases, int maxRootFields) {}
