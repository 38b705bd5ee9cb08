// SPDX-License-Identifier: Apache-2.0
/**
 * Support for this project's own tests, which is not published: servers and tools of the operating
 * system, projects in other languages, faulty disks and networks.
 */
@NullMarked
package dev.evita.testsupport;

import org.jspecify.annotations.NullMarked;
