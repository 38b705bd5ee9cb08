// SPDX-License-Identifier: Apache-2.0
/**
 * The suite that every engine must pass, and what tests over an engine need.
 *
 * <p>An engine's author extends {@link dev.evita.api.testkit.BaseEngineTest}.
 */
@NullMarked
package dev.evita.api.testkit;

import org.jspecify.annotations.NullMarked;
