// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

/**
 * The plan of a live query.
 *
 * @param query is run again whenever a table changes that it reads
 */
public record LiveQueryPlan(QueryPlan query) implements SubscriptionPlan {}
