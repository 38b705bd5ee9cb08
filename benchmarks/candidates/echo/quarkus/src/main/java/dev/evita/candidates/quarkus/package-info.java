// SPDX-License-Identifier: Apache-2.0
/** The echo API on Quarkus. */
@org.jspecify.annotations.NullMarked
package dev.evita.candidates.quarkus;
