// SPDX-License-Identifier: Apache-2.0
/**
 * Protobuf files of a catalog: kinds, names, and field numbers, which are stored in the database;
 * uses the core only.
 */
@NullMarked
package dev.evita.externalapi.grpc.proto;

import org.jspecify.annotations.NullMarked;
