// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

/**
 * The plan of a live query.
 *
 * @param query executed again whenever a table that it reads changes
 */
public record LiveQueryPlan(QueryPlan query) implements SubscriptionPlan {}
