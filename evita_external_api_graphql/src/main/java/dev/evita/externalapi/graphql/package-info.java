// SPDX-License-Identifier: Apache-2.0
/**
 * GraphQL over HTTP in Hasura's dialect, generated from the catalog.
 *
 * <p>The way of a request:
 *
 * <pre>
 *   bytes --RequestReader--> GraphQlRequest --DocumentStore--> text --plan cache--> CompiledDocument
 *     --Compiler--> Variant: Steps (a Select or Call each) and Shapes (JSON fragments around slots)
 *     --Planner--> Planned: each step bound to its arguments, within the limits (Cost)
 *     --QueryExecution--> Prepared.run per step; rows are written to a ResponseTarget while the cursor moves
 * </pre>
 *
 * <p>graphql-java parses and validates documents and answers introspection; a field on a table
 * never passes through its execution.
 */
@NullMarked
package dev.evita.externalapi.graphql;

import org.jspecify.annotations.NullMarked;
