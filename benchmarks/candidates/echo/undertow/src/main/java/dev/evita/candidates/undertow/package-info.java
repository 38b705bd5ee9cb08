// SPDX-License-Identifier: Apache-2.0
/** The echo API on Undertow. */
@org.jspecify.annotations.NullMarked
package dev.evita.candidates.undertow;
