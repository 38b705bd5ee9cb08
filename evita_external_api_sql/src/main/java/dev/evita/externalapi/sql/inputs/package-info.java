// SPDX-License-Identifier: Apache-2.0
/** The relation {@code request}: converts a request to the arguments of a query. */
@NullMarked
package dev.evita.externalapi.sql.inputs;

import org.jspecify.annotations.NullMarked;
