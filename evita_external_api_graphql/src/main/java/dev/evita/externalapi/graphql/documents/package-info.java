// SPDX-License-Identifier: Apache-2.0
/**
 * Finds, validates and compiles documents, and caches their plans; uses {@code queries}, {@code
 * mutations}, {@code plan} and the packages that it uses.
 */
@NullMarked
package dev.evita.externalapi.graphql.documents;

import org.jspecify.annotations.NullMarked;
