// SPDX-License-Identifier: Apache-2.0
/**
 * The suite that every engine must pass, and utilities for tests over an engine.
 *
 * <p>The author of an engine extends {@link dev.evita.api.testkit.BaseEngineTest}.
 */
@NullMarked
package dev.evita.api.testkit;

import org.jspecify.annotations.NullMarked;
