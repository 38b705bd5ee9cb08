// SPDX-License-Identifier: Apache-2.0
/** Tables, fields and routines with their names in the schema; uses the catalog only. */
@NullMarked
package dev.evita.externalapi.graphql.model;

import org.jspecify.annotations.NullMarked;
