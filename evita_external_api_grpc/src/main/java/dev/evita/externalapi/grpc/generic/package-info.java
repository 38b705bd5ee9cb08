// SPDX-License-Identifier: Apache-2.0
/** The generic service for any database; uses {@code tables} and the packages that it uses. */
@NullMarked
package dev.evita.externalapi.grpc.generic;

import org.jspecify.annotations.NullMarked;
