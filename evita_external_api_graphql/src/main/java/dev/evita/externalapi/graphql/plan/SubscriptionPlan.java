// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

/** The plan of a subscription, whose answers do not end. */
public sealed interface SubscriptionPlan extends BoundPlan permits LiveQueryPlan, StreamPlan {}
