// SPDX-License-Identifier: Apache-2.0
/** Values and keys in JDBC: codecs, checks, and blocks of rows; uses only the contract. */
@NullMarked
package dev.evita.engine.jdbc.value;

import org.jspecify.annotations.NullMarked;
