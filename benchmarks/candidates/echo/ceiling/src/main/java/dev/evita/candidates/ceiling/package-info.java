// SPDX-License-Identifier: Apache-2.0
/** The constant answer that no server on Undertow can beat. */
@org.jspecify.annotations.NullMarked
package dev.evita.candidates.ceiling;
