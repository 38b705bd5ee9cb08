// SPDX-License-Identifier: Apache-2.0
/**
 * Wiring, configuration and command line: the only module that depends on both an engine and the
 * HTTP side.
 */
@NullMarked
package dev.evita.server;

import org.jspecify.annotations.NullMarked;
