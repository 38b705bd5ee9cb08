// SPDX-License-Identifier: Apache-2.0
/** Evita itself, over an engine that has nothing but echo. */
@org.jspecify.annotations.NullMarked
package dev.evita.candidates.evita;
