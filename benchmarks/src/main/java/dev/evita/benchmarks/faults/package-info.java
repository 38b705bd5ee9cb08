// SPDX-License-Identifier: Apache-2.0
/** The fault suite: writes under random faults, and a check of what was kept. */
@NullMarked
package dev.evita.benchmarks.faults;

import org.jspecify.annotations.NullMarked;
