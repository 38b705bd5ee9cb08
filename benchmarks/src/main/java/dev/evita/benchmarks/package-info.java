// SPDX-License-Identifier: Apache-2.0
/** Benchmarks and their load generators. Not part of the product. */
@NullMarked
package dev.evita.benchmarks;

import org.jspecify.annotations.NullMarked;
