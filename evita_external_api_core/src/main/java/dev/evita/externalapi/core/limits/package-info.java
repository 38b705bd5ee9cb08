// SPDX-License-Identifier: Apache-2.0
/** The limits of requests, and the counters that enforce them. Depends on no other package. */
@NullMarked
package dev.evita.externalapi.core.limits;

import org.jspecify.annotations.NullMarked;
