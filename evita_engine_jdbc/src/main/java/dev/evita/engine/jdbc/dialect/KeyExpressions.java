// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.engine.jdbc.value.Codec;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Renders the conditions by which the keys of a nested level select its rows. Immutable. */
public abstract class KeyExpressions {

  /**
   * Renders a relation named {@code k} of keys {@code k0, k1, ...} and, if they are numbered, their
   * numbers {@code n} from 1, to be joined with the level's table.
   *
   * @param sql creates the placeholders
   */
  public org.jooq.Table<?> tuples(Sql sql, LevelKey key) {
    var arrays = new Field<?>[key.codecs().size()];
    var places = new ArrayList<String>();
    var names = new ArrayList<String>();
    for (int i = 0; i < arrays.length; i++) {
      var place = sql.place(new Bind.KeyParts(i, key.codecs().get(i)));
      arrays[i] =
          DSL.field("cast({0} as " + arrayOf(key.natives().get(i)) + ")", Object.class, place);
      places.add("{" + i + "}");
      names.add("\"k" + i + "\"");
    }
    var numbers = "";
    if (key.numbered()) {
      names.add("\"n\"");
      numbers = " with ordinality";
    }
    return DSL.table(
        "unnest(%s)%s as \"k\"(%s)"
            .formatted(String.join(", ", places), numbers, String.join(", ", names)),
        arrays);
  }

  /**
   * Whether the database considers two keys equal if and only if their Java values are equal.
   *
   * @see Keys
   */
  final boolean sameEquality(Column one, Column other) {
    return exact(one)
        && exact(other)
        && (one.type().equals(other.type())
            || (number(one) && number(other))
            || sameLabels(one.type(), other.type()));
  }

  /** Array types may be named after their columns by the engine. */
  private static boolean sameLabels(DataType one, DataType other) {
    return one instanceof DataType.Enumeration(var ours, var labels)
        && other instanceof DataType.Enumeration(var theirs, var others)
        && labels.equals(others);
  }

  private static boolean number(Column column) {
    return Columns.isNumber(column.type());
  }

  private boolean exact(Column column) {
    return switch (column.type()) {
      case DataType.Scalar scalar ->
          switch (scalar) {
            case INT16, INT32, INT64 -> true;
            case TEXT -> exactText(column.nativeType());
            case BOOLEAN, DECIMAL, UUID, BINARY, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ ->
                keepsTypes();
            case FLOAT32, FLOAT64, TIME_TZ, INTERVAL, JSON -> false;
          };
      case DataType.Enumeration enumeration -> true;
      case DataType.Array array -> false;
      case DataType.Other other -> false;
    };
  }

  /**
   * Whether a row refers to the row of a key, as defined by a foreign key: by the type and
   * collation of the key.
   *
   * @param reference the referring column, or a value of it
   * @param key the referenced column, or a value of it
   */
  protected Condition refers(
      Field<Object> reference, Column referring, Field<Object> key, Column referredTo) {
    return key.eq(reference);
  }

  /** Whether texts of this type are equal only if all of their characters are. */
  protected abstract boolean exactText(String nativeType);

  /** Whether the values of a column always have its type. */
  protected boolean keepsTypes() {
    return true;
  }

  /** The array type of keys of this native type. */
  protected String arrayOf(String nativeType) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " compares the keys");
  }

  /** Whether composite keys are passed as a relation to join; else by {@link #inTuples}. */
  public abstract boolean joinsTuples();

  /** Renders the condition that the columns together are among the keys. */
  public Condition inTuples(Sql sql, List<Field<Object>> columns, List<Codec> codecs) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " joins the keys");
  }
}
