// SPDX-License-Identifier: Apache-2.0
/**
 * The typed service of each table, and transactions of calls; uses {@code messages}, {@code proto}
 * and {@code transport}.
 */
@NullMarked
package dev.evita.externalapi.grpc.tables;

import org.jspecify.annotations.NullMarked;
