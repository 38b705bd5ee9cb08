// SPDX-License-Identifier: Apache-2.0
/** Serves the {@code DataSource} of a Spring Boot application by GraphQL, REST and gRPC. */
@NullMarked
package dev.evita.spring.boot;

import org.jspecify.annotations.NullMarked;
