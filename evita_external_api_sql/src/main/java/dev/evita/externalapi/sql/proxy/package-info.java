// SPDX-License-Identifier: Apache-2.0
/** Upstreams to which requests are passed on. */
@NullMarked
package dev.evita.externalapi.sql.proxy;

import org.jspecify.annotations.NullMarked;
