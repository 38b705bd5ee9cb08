// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

/** The value of a variable that was neither given nor has a default; not the same as null. */
public enum AbsentValue {
  VALUE
}
