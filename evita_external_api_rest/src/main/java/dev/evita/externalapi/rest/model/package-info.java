// SPDX-License-Identifier: Apache-2.0
/** Tables and routines as REST names them, values, and failures; uses the core only. */
@NullMarked
package dev.evita.externalapi.rest.model;

import org.jspecify.annotations.NullMarked;
