// SPDX-License-Identifier: Apache-2.0
/** TPC-B by Spring WebFlux and R2DBC on PostgreSQL. */
@NullMarked
package dev.evita.candidates.springwebfluxr2dbc;

import org.jspecify.annotations.NullMarked;
