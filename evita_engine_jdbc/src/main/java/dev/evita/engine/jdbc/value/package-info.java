// SPDX-License-Identifier: Apache-2.0
/**
 * Values and keys as they cross JDBC: codecs, checks, and blocks of rows; uses the contract only.
 */
@NullMarked
package dev.evita.engine.jdbc.value;

import org.jspecify.annotations.NullMarked;
