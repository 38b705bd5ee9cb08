// SPDX-License-Identifier: Apache-2.0
/** Static files of a directory. */
@NullMarked
package dev.evita.externalapi.sql.files;

import org.jspecify.annotations.NullMarked;
