// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * A statement that an engine executes for an operation.
 *
 * @param statement in the engine's language, with placeholders for values
 * @param plan the engine's description of how it executes the statement; may have several lines
 */
public record StatementPlan(String statement, String plan) {}
