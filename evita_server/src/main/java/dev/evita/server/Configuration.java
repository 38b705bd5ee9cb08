// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.graphql.GraphQlOptions;
import dev.evita.externalapi.grpc.GrpcOptions;
import dev.evita.externalapi.rest.RestOptions;
import dev.evita.externalapi.sql.SqlOptions;

/**
 * The configuration of a stand-alone server. Immutable.
 *
 * <p>The configuration keys are the components of these records, in one flat list and in
 * kebab-case: {@link ConfigurationKeys} finds them, so that a new component needs no code here.
 */
record Configuration(
    DatabaseOptions database,
    ServerOptions server,
    GraphQlOptions graphQl,
    RestOptions rest,
    GrpcOptions grpc,
    SqlOptions sql) {

  /** No database, loopback, port 5555, the defaults of the modules. */
  static final Configuration DEFAULT =
      new Configuration(
          DatabaseOptions.DEFAULT,
          ServerOptions.builder().port(5555).build(),
          GraphQlOptions.DEFAULT,
          RestOptions.DEFAULT,
          GrpcOptions.DEFAULT,
          SqlOptions.DEFAULT);

  /** Returns the same with other options of handlers. */
  Configuration withSql(SqlOptions other) {
    return new Configuration(database, server, graphQl, rest, grpc, other);
  }
}
