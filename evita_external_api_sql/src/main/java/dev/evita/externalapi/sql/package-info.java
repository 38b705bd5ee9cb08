// SPDX-License-Identifier: Apache-2.0
/** HTTP handlers written in SQL: a query over the relation {@code request} returns a response. */
@NullMarked
package dev.evita.externalapi.sql;

import org.jspecify.annotations.NullMarked;
