// SPDX-License-Identifier: Apache-2.0
/**
 * The contract between database engines and the HTTP layer.
 *
 * <p>It depends on the JDK and JSpecify only. Engines implement {@link dev.evita.api.Engine};
 * protocol modules translate requests to {@link dev.evita.api.Operation}s and rows to bytes.
 * Neither side depends on the other.
 */
@NullMarked
package dev.evita.api;

import org.jspecify.annotations.NullMarked;
