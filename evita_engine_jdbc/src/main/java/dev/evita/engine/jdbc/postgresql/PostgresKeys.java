// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Column;
import dev.evita.engine.jdbc.dialect.KeyExpressions;
import java.util.regex.Pattern;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Renders the conditions by which the keys of a nested level select its rows, in PostgreSQL. */
final class PostgresKeys extends KeyExpressions {

  private static final String COLLATE = " collate ";

  private static final Pattern MODIFIER = Pattern.compile("\\([0-9, ]*\\)");

  @Override
  public boolean joinsTuples() {
    return true;
  }

  /**
   * Excludes citext, texts padded with spaces, and domains, which may be either. The server's
   * built-in collations are deterministic; others need not be.
   */
  @Override
  protected boolean exactText(String nativeType) {
    var collation = collation(nativeType);
    var type = nativeType.substring(0, nativeType.length() - collation.length());
    return (type.startsWith("character varying") || type.equals("text") || type.equals("name"))
        && (collation.isEmpty() || collation.startsWith(COLLATE + "pg_catalog."));
  }

  /** The collation clause of a type as {@link PostgresCatalog} writes it; empty for the default. */
  private static String collation(String nativeType) {
    var start = nativeType.indexOf(COLLATE);
    return start < 0 ? "" : nativeType.substring(start);
  }

  /** Between two collations, the server would not choose. */
  @Override
  protected Condition refers(
      Field<Object> reference, Column referring, Field<Object> key, Column referredTo) {
    var collation = collation(referredTo.nativeType());
    if (collation.equals(collation(referring.nativeType()))) {
      return key.eq(reference);
    }
    var clause = collation.isEmpty() ? COLLATE + "pg_catalog.\"default\"" : collation;
    return DSL.condition("{0} = ({1})" + clause, key, reference);
  }

  @Override
  protected String arrayOf(String nativeType) {
    return unlimited(nativeType) + "[]";
  }

  /** The type without its collation and its length, to which a cast would truncate a longer key. */
  private static String unlimited(String nativeType) {
    var type = nativeType.substring(0, nativeType.length() - collation(nativeType).length());
    var name = MODIFIER.matcher(type).replaceAll("");
    return switch (name) {
      case "character" -> "bpchar";
      case "bit" -> "varbit";
      default -> name;
    };
  }
}
