// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import dev.evita.externalapi.graphql.request.GraphQlError;
import java.util.List;

/**
 * Who gets the results of a subscription. Called on any thread, one call at a time; no blocking.
 */
interface Subscriber {

  /** A newer result, which takes the place of one that has not been sent yet. */
  void next(SubscriptionResult result);

  /** It cannot go on. The last call. */
  void failed(List<GraphQlError> errors);
}
