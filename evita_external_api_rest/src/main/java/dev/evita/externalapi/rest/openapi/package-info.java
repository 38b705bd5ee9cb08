// SPDX-License-Identifier: Apache-2.0
/** Generates the OpenAPI document; uses {@code model} and {@code response}. */
@NullMarked
package dev.evita.externalapi.rest.openapi;

import org.jspecify.annotations.NullMarked;
