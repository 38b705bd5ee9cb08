// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.engine.jdbc.dialect.CatalogAccess;
import dev.evita.engine.jdbc.dialect.CatalogReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads the catalog and detects changes of schema and rows, in PostgreSQL. */
final class PostgresCatalogAccess extends CatalogAccess {

  /** Counts the changes of each system catalog table that {@link #reader} reads. */
  private static final String FINGERPRINT =
      """
      select concat_ws(' ', current_schema(), %s)\
      """
          .formatted(
              String.join(
                  ", ",
                  changes("pg_class", "oid >= 16384"),
                  changes("pg_attribute", "attrelid >= 16384"),
                  changes("pg_attrdef", "true"),
                  changes("pg_rewrite", "oid >= 16384"),
                  changes("pg_constraint", "oid >= 16384"),
                  changes("pg_type", "oid >= 16384"),
                  changes("pg_enum", "true"),
                  changes("pg_namespace", "true"),
                  changes("pg_proc", "oid >= 16384"),
                  changes("pg_description", "objoid >= 16384")));

  private static String changes(String table, String where) {
    return "(select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.%s where %s)"
        .formatted(table, where);
  }

  @Override
  public CatalogReader reader() {
    return new PostgresCatalog();
  }

  @Override
  public String fingerprint(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(FINGERPRINT)) {
      row.next();
      return row.getString(1);
    }
  }
}
