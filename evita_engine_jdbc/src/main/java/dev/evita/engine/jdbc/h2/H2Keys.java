// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.Column;
import dev.evita.engine.jdbc.dialect.KeyExpressions;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Renders the conditions by which the keys of a nested level select its rows, in H2. */
final class H2Keys extends KeyExpressions {

  private static final String IGNORING_CASE = "VARCHAR_IGNORECASE";

  @Override
  public boolean joinsTuples() {
    return true;
  }

  /** Excludes case-insensitive texts and those padded with spaces. */
  @Override
  protected boolean exactText(String nativeType) {
    return nativeType.startsWith("CHARACTER VARYING")
        || nativeType.startsWith("CHARACTER LARGE OBJECT");
  }

  /** Between two types of texts, H2 compares by the case-insensitive one. */
  @Override
  protected Condition refers(
      Field<Object> reference, Column referring, Field<Object> key, Column referredTo) {
    var equal = key.eq(reference);
    return exactText(referredTo.nativeType()) && referring.nativeType().startsWith(IGNORING_CASE)
        ? equal.and(key.eq(DSL.field("cast({0} as varchar)", Object.class, reference)))
        : equal;
  }

  @Override
  protected String arrayOf(String nativeType) {
    return nativeType + " array";
  }
}
