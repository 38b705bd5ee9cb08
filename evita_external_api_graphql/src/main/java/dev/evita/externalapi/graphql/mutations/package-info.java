// SPDX-License-Identifier: Apache-2.0
/** Compiles mutations and does their work; uses {@code plan} and the rooms that it uses. */
@NullMarked
package dev.evita.externalapi.graphql.mutations;

import org.jspecify.annotations.NullMarked;
