// SPDX-License-Identifier: Apache-2.0
/**
 * Calls of grpc-java on the core's exchanges: framing, also of gRPC-Web, metadata, statuses and
 * replies; uses the core only.
 */
@NullMarked
package dev.evita.externalapi.grpc.transport;

import org.jspecify.annotations.NullMarked;
