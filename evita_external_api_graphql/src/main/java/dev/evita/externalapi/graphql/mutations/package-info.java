// SPDX-License-Identifier: Apache-2.0
/** Compiles and executes mutations; uses {@code plan} and the packages that it uses. */
@NullMarked
package dev.evita.externalapi.graphql.mutations;

import org.jspecify.annotations.NullMarked;
