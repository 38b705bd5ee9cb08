// SPDX-License-Identifier: Apache-2.0
/** The echo API on Vert.x. */
@org.jspecify.annotations.NullMarked
package dev.evita.candidates.vertx;
