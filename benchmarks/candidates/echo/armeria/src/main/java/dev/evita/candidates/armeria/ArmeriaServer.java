// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.armeria;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.graphql.GraphqlService;
import dev.evita.candidates.graphql.EchoGraphQl;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Armeria with its own service for GraphQL, which answers on the event loop. */
public final class ArmeriaServer {

  private ArmeriaServer() {}

  public static void main(String[] arguments) {
    var graphQl = EchoGraphQl.create().graphQl();
    Server.builder()
        .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port")))
        .service("/graphql", GraphqlService.builder().graphql(graphQl).build())
        .build()
        .start()
        .join();
  }
}
