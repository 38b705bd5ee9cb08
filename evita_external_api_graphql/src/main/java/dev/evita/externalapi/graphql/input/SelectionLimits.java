// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

/**
 * The most that the selections of one operation may hold.
 *
 * @param maxAliases those in fragments count at each place where they are used
 * @param maxRootFields fields at the root
 */
public record SelectionLimits(int maxAliases, int maxRootFields) {}
