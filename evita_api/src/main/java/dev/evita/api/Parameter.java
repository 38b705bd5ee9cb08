// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * A place for a value that is given at run time.
 *
 * @param index its position in {@link Arguments}, from 0; the same index may stand in several
 *     places. The type follows from the place: the column it is compared with, a row count, a
 *     parameter of a routine
 */
public record Parameter(int index) {}
