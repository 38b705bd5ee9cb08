// SPDX-License-Identifier: Apache-2.0
/** Writes responses: formats, row shapes and entity tags; uses {@code model}. */
@NullMarked
package dev.evita.externalapi.rest.response;

import org.jspecify.annotations.NullMarked;
