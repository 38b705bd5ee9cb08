// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;

/** A write of one statement that is ready to run, and what it tells of the rows. */
record WritePlan(Prepared prepared, Arguments arguments, Returned returned) {}
