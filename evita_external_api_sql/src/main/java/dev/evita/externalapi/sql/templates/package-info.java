// SPDX-License-Identifier: Apache-2.0
/** HTML templates. */
@NullMarked
package dev.evita.externalapi.sql.templates;

import org.jspecify.annotations.NullMarked;
