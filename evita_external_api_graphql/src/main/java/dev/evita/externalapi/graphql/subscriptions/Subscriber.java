// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import dev.evita.externalapi.graphql.request.GraphQlError;
import java.util.List;

/**
 * Receives the results of a subscription. Called on any thread, one call at a time; must not block.
 */
interface Subscriber {

  /** Receives a newer result, which replaces one that has not been sent yet. */
  void next(SubscriptionResult result);

  /** Called last, if the subscription cannot continue. */
  void failed(List<GraphQlError> errors);
}
