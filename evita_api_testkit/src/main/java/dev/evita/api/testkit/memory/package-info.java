// SPDX-License-Identifier: Apache-2.0
/** The engine of the tutorial in docs/engines.md: tables in the memory of this process. */
package dev.evita.api.testkit.memory;
