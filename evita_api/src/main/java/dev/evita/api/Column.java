// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import org.jspecify.annotations.Nullable;

/**
 * A column of a table or view.
 *
 * @param name the exact name in the database
 * @param type the type as protocols see it
 * @param nativeType the type in the database's syntax, for documentation
 * @param nullable whether a row may contain null
 * @param defaultExpression the database's default, in its own SQL; null if there is none
 * @param generation whether and how the database generates the value
 * @param comment the column's comment; null if there is none
 */
public record Column(
    String name,
    DataType type,
    String nativeType,
    boolean nullable,
    @Nullable String defaultExpression,
    Generation generation,
    @Nullable String comment) {

  /** The source of a column's value. */
  public enum Generation {
    /** The client, or the default. */
    NONE,
    /** An identity or auto-increment that a client may override. */
    IDENTITY_BY_DEFAULT,
    /** An identity that a client must not set. */
    IDENTITY_ALWAYS,
    /** Computed from other columns; never written. */
    COMPUTED
  }

  /** A plain column without default or comment. */
  public static Column of(String name, DataType type, boolean nullable) {
    return new Column(name, type, type.toString(), nullable, null, Generation.NONE, null);
  }

  /** Whether an insert or update may set this column. */
  public boolean writable() {
    return generation == Generation.NONE || generation == Generation.IDENTITY_BY_DEFAULT;
  }

  /** Whether an insert must set a value. */
  public boolean required() {
    return !nullable && defaultExpression == null && generation == Generation.NONE;
  }
}
