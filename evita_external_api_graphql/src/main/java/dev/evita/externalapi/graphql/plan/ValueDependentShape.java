// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

/** Tells that the shape of an operation depends on its variables. */
final class ValueDependentShape extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ValueDependentShape() {
    super("the shape depends on variables", null, false, false);
  }
}
