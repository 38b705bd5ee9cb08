// SPDX-License-Identifier: Apache-2.0
/**
 * Parses requests from protobuf messages and writes rows in protobuf's wire format; uses {@code
 * proto}.
 */
@NullMarked
package dev.evita.externalapi.grpc.messages;

import org.jspecify.annotations.NullMarked;
