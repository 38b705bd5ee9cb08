// SPDX-License-Identifier: Apache-2.0
/**
 * Server reflection, health, and the protobuf files that are served; uses {@code generic} and the
 * packages that it uses.
 */
@NullMarked
package dev.evita.externalapi.grpc.reflection;

import org.jspecify.annotations.NullMarked;
