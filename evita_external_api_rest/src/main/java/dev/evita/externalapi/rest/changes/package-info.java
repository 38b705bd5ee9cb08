// SPDX-License-Identifier: Apache-2.0
/** Streams row changes as server-sent events; uses {@code reads} and the packages that it uses. */
@NullMarked
package dev.evita.externalapi.rest.changes;

import org.jspecify.annotations.NullMarked;
