// SPDX-License-Identifier: Apache-2.0
/** What is measured, and by what. Nothing here is part of the product. */
@NullMarked
package dev.evita.benchmarks;

import org.jspecify.annotations.NullMarked;
