// SPDX-License-Identifier: Apache-2.0
/** Parses requests: URLs, filters, selections, preferences and bodies; uses {@code model}. */
@NullMarked
package dev.evita.externalapi.rest.request;

import org.jspecify.annotations.NullMarked;
