// SPDX-License-Identifier: Apache-2.0
/** What a handler declares in the comments at its beginning: routes, inputs, options. */
@NullMarked
package dev.evita.externalapi.sql.declaration;

import org.jspecify.annotations.NullMarked;
