// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles and executes reads, with embedding and pagination; uses {@code model}, {@code request}
 * and {@code response}.
 */
@NullMarked
package dev.evita.externalapi.rest.reads;

import org.jspecify.annotations.NullMarked;
