// SPDX-License-Identifier: Apache-2.0
/** The echo API on Spring Boot, MVC and Tomcat. */
@NullMarked
package dev.evita.candidates.springbootmvc;

import org.jspecify.annotations.NullMarked;
