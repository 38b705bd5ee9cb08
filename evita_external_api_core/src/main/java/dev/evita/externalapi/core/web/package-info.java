// SPDX-License-Identifier: Apache-2.0
/** Browsers and content: CORS, compression, media types. Uses {@code limits}. */
@NullMarked
package dev.evita.externalapi.core.web;

import org.jspecify.annotations.NullMarked;
