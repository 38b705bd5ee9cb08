// SPDX-License-Identifier: Apache-2.0
/**
 * Executes several requests in one transaction; uses {@code writes}, {@code model}, {@code request}
 * and {@code response}.
 */
@NullMarked
package dev.evita.externalapi.rest.batch;

import org.jspecify.annotations.NullMarked;
