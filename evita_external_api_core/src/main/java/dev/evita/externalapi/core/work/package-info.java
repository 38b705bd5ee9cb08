// SPDX-License-Identifier: Apache-2.0
/**
 * Units of work: deadline, admission, dispatch to I/O threads and workers, pause, cancellation,
 * retry, and the response that work writes. Uses {@code json} and {@code limits}.
 */
@NullMarked
package dev.evita.externalapi.core.work;

import org.jspecify.annotations.NullMarked;
