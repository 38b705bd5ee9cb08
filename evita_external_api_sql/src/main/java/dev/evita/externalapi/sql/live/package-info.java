// SPDX-License-Identifier: Apache-2.0
/** Handlers whose results are sent again after changes. */
@NullMarked
package dev.evita.externalapi.sql.live;

import org.jspecify.annotations.NullMarked;
