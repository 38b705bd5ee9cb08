// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * A placeholder for a value of each execution.
 *
 * @param index its position in {@link Arguments}, zero-based; the same index may occur in several
 *     places. The type follows from the place: the column it is compared with, a row count, a
 *     parameter of a routine
 */
public record Parameter(int index) {}
