// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.externalapi.core.limits.Description;

/**
 * How gRPC is served. Immutable; each key of the configuration is a component's name in kebab-case.
 */
public record GrpcOptions(
    @Description("Whether clients may ask for services and messages, by reflection and as files.")
        boolean grpcReflection) {

  /** With reflection. */
  public static final GrpcOptions DEFAULT = new GrpcOptions(true);
}
