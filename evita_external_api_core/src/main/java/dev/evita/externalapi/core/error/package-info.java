// SPDX-License-Identifier: Apache-2.0
/** Error codes that no engine raises. Depends on no other package. */
@NullMarked
package dev.evita.externalapi.core.error;

import org.jspecify.annotations.NullMarked;
