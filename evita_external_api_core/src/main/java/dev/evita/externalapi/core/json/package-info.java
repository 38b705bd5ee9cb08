// SPDX-License-Identifier: Apache-2.0
/** Writing JSON: values, numbers, times, and rows by a compiled shape. Uses {@code limits}. */
@NullMarked
package dev.evita.externalapi.core.json;

import org.jspecify.annotations.NullMarked;
