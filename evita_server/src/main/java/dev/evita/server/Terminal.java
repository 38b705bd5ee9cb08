// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.io.PrintWriter;

/**
 * Where a command writes to.
 *
 * @param out what was asked for: URLs, help, the version
 * @param err everything else
 * @param interactive whether a person watches {@code err}, so that a line may be drawn over
 */
record Terminal(PrintWriter out, PrintWriter err, boolean interactive) {}
