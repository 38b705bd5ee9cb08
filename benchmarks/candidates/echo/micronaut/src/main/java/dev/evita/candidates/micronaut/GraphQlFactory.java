// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.micronaut;

import dev.evita.candidates.graphql.EchoGraphQl;
import graphql.GraphQL;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** What Micronaut's controller serves. */
@Factory
final class GraphQlFactory {

  @Singleton
  GraphQL graphQl() {
    return EchoGraphQl.create().graphQl();
  }
}
