// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.io.PrintWriter;

/**
 * The output of a command.
 *
 * @param out requested output: URLs, help, the version
 * @param err everything else
 * @param interactive whether {@code err} is a terminal, so that a line may be overwritten
 */
record Terminal(PrintWriter out, PrintWriter err, boolean interactive) {}
