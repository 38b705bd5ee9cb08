// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Column;
import dev.evita.api.Column.Generation;
import dev.evita.api.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A column that an {@link EngineFixture} creates. Immutable.
 *
 * @param name the exact name, of any characters
 * @param type the type
 * @param nullable whether null may be stored
 * @param length the maximum number of characters of a text, only with {@link
 *     EngineBehavior#LENGTH_LIMITS}, or of digits of a decimal; 0 if the engine chooses
 * @param scale the number of digits after the point of a decimal with a {@code length}
 * @param defaultValue the default: a {@code Long} or a {@code String}; null if there is none. Set
 *     only with {@link EngineBehavior#DEFAULTS}
 * @param generation whether and how the engine generates the value; not {@code NONE} only with the
 *     behavior of that name
 * @param twice if {@code COMPUTED}, the column whose double this one is
 * @param unique whether no value occurs twice; only with {@link EngineBehavior#UNIQUE_CONSTRAINTS}
 * @param minimum the least permitted value; null if there is none. Set only with {@link
 *     EngineBehavior#CHECK_CONSTRAINTS}
 * @param comment the comment; null if there is none. Set only with {@link EngineBehavior#COMMENTS}
 */
public record ColumnDefinition(
    String name,
    DataType type,
    boolean nullable,
    int length,
    int scale,
    @Nullable Object defaultValue,
    Generation generation,
    @Nullable String twice,
    boolean unique,
    @Nullable Long minimum,
    @Nullable String comment) {

  /** A nullable column without anything else. */
  static ColumnDefinition of(String name, DataType type) {
    return new ColumnDefinition(
        name, type, true, 0, 0, null, Generation.NONE, null, false, null, null);
  }

  ColumnDefinition required() {
    return new ColumnDefinition(
        name,
        type,
        false,
        length,
        scale,
        defaultValue,
        generation,
        twice,
        unique,
        minimum,
        comment);
  }

  ColumnDefinition limited(int newLength, int newScale) {
    return new ColumnDefinition(
        name,
        type,
        nullable,
        newLength,
        newScale,
        defaultValue,
        generation,
        twice,
        unique,
        minimum,
        comment);
  }

  ColumnDefinition withDefault(Object value) {
    return new ColumnDefinition(
        name, type, nullable, length, scale, value, generation, twice, unique, minimum, comment);
  }

  ColumnDefinition generated(Generation newGeneration, @Nullable String doubled) {
    return new ColumnDefinition(
        name,
        type,
        nullable,
        length,
        scale,
        defaultValue,
        newGeneration,
        doubled,
        unique,
        minimum,
        comment);
  }

  ColumnDefinition withoutDuplicates() {
    return new ColumnDefinition(
        name,
        type,
        nullable,
        length,
        scale,
        defaultValue,
        generation,
        twice,
        true,
        minimum,
        comment);
  }

  ColumnDefinition atLeast(long value) {
    return new ColumnDefinition(
        name,
        type,
        nullable,
        length,
        scale,
        defaultValue,
        generation,
        twice,
        unique,
        value,
        comment);
  }

  ColumnDefinition commented(String text) {
    return new ColumnDefinition(
        name,
        type,
        nullable,
        length,
        scale,
        defaultValue,
        generation,
        twice,
        unique,
        minimum,
        text);
  }

  /** The column as it should be in the catalog. */
  public Column toColumn() {
    return new Column(
        name,
        type,
        type.toString(),
        nullable,
        defaultValue == null ? null : defaultValue.toString(),
        generation,
        comment);
  }
}
