// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springbootmvc;

import dev.evita.candidates.graphql.EchoGraphQl;
import dev.evita.candidates.graphql.GraphQlRequest;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The echo by POST. */
@RestController
class EchoController {

  private final EchoGraphQl graphQl = EchoGraphQl.create();

  @PostMapping("/graphql")
  Map<String, Object> answer(@RequestBody GraphQlRequest request) {
    return graphQl.execute(request);
  }
}
