// SPDX-License-Identifier: Apache-2.0
/** The echo API on Spring Boot, WebFlux and Reactor Netty. */
@NullMarked
package dev.evita.candidates.springbootwebflux;

import org.jspecify.annotations.NullMarked;
