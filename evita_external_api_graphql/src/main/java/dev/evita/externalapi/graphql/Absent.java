// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

/** The value of a variable that was neither given nor has a default; not the same as null. */
enum Absent {
  VALUE
}
