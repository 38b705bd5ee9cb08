// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.request.SocketMessage;

/** The plan of an operation, bound to the values of its variables. */
public sealed interface BoundPlan permits SinglePlan, SubscriptionPlan {

  /**
   * Returns a plan of one answer, and refuses a subscription.
   *
   * @throws RequestError {@code NOT_ACCEPTABLE}
   */
  default SinglePlan requireEnd() {
    return switch (this) {
      case SinglePlan single -> single;
      case SubscriptionPlan subscription ->
          throw RequestError.of(
              ErrorCode.NOT_ACCEPTABLE,
              "A subscription needs a WebSocket ("
                  + SocketMessage.PROTOCOL
                  + ") or 'Accept: text/event-stream'");
    };
  }
}
