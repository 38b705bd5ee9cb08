// SPDX-License-Identifier: Apache-2.0
/** The echo API on Javalin. */
@org.jspecify.annotations.NullMarked
package dev.evita.candidates.javalin;
