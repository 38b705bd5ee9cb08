// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.quarkus;

import dev.evita.candidates.graphql.EchoGraphQl;
import dev.evita.candidates.graphql.GraphQlRequest;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.Map;

/** The echo by POST, on a worker thread, as is the default of Quarkus. */
@Path("/graphql")
public final class EchoResource {

  private final EchoGraphQl graphQl = EchoGraphQl.create();

  @POST
  public Map<String, Object> answer(GraphQlRequest request) {
    return graphQl.execute(request);
  }
}
