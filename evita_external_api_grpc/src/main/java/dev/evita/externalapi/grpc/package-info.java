// SPDX-License-Identifier: Apache-2.0
/**
 * gRPC on the server's own port: a transport under grpc-java's public API, without a second server.
 *
 * <p>A call is a {@link dev.evita.externalapi.core.exchange.StreamingExchange} on one side and a
 * {@link io.grpc.ServerCall} on the other; {@link dev.evita.externalapi.grpc.transport.GrpcCall} is
 * both.
 */
@NullMarked
package dev.evita.externalapi.grpc;

import org.jspecify.annotations.NullMarked;
