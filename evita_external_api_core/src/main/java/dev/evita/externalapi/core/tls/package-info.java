// SPDX-License-Identifier: Apache-2.0
/** Certificates and keys: reading, checking, reloading. Depends on no other package. */
@NullMarked
package dev.evita.externalapi.core.tls;

import org.jspecify.annotations.NullMarked;
