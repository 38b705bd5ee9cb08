// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

/**
 * Stands in an argument for the value that a request gives.
 *
 * @param index the variable's position in its operation
 */
record VariableRef(int index, String name) {}
