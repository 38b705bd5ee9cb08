// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Routine;
import dev.evita.engine.jdbc.dialect.CatalogDraft;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads PostgreSQL's functions and procedures that the user may call, except aggregates, window
 * functions, trigger functions, those of extensions, those with a variadic parameter, and those of
 * pseudo-types ({@code internal}, {@code anyelement}, {@code record} without columns).
 */
final class PostgresRoutines {

  private static final String VISIBLE =
      """
      p.prokind in ('f', 'p') and p.provariadic = 0
      and (t.typtype <> 'p' or p.prorettype = 'void'::regtype
        or (p.prorettype = 'record'::regtype and (p.prokind = 'p' or p.proallargtypes is not null)))
      and not exists (select from unnest(coalesce(p.proallargtypes, p.proargtypes)) a(type)
        join pg_catalog.pg_type at on at.oid = a.type where at.typtype = 'p')
      and not exists (select from pg_catalog.pg_depend d where d.objid = p.oid
        and d.classid = 'pg_catalog.pg_proc'::regclass and d.deptype = 'e')
      and has_function_privilege(p.oid, 'EXECUTE') and\
      """;

  /** The relation of each returned type; for a domain, that of its base type. */
  private static final String BASES =
      """
      with recursive base(type, relation, next) as (
        select t.oid, t.typrelid, t.typbasetype from pg_catalog.pg_proc p
        join pg_catalog.pg_type t on t.oid = p.prorettype
        union select base.type, t.typrelid, t.typbasetype from base
        join pg_catalog.pg_type t on t.oid = base.next)
      """;

  private static final String ROUTINES =
      BASES
          + """
          select p.oid, n.nspname, p.proname, p.prokind, p.provolatile, p.proretset, p.prorettype,
            base.relation, pg_catalog.format_type(p.prorettype, -1),
            pg_catalog.obj_description(p.oid, 'pg_proc'),
            u.name, u.mode, u.type, pg_catalog.format_type(u.type, -1),
            pg_catalog.pg_get_function_arg_default(p.oid, u.place::int)
          from pg_catalog.pg_proc p
          join pg_catalog.pg_namespace n on n.oid = p.pronamespace
          join pg_catalog.pg_type t on t.oid = p.prorettype
          join base on base.type = t.oid and base.next = 0
          left join lateral unnest(
              coalesce(p.proallargtypes, p.proargtypes), p.proargmodes, p.proargnames)
            with ordinality as u(type, mode, name, place) on true
          where\
          """
          + " "
          + VISIBLE
          + " "
          + PostgresCatalog.VISIBLE_SCHEMA
          + " order by 2, 3, 1, u.place";
  private static final String FIELDS =
      BASES
          + """
          select a.attrelid, a.attname, a.atttypid, pg_catalog.format_type(a.atttypid, a.atttypmod),
            a.attndims
          from pg_catalog.pg_attribute a
          where a.attnum > 0 and not a.attisdropped
            and a.attrelid in (select relation from base where relation <> 0)
          order by a.attrelid, a.attnum\
          """;

  private final LongFunction<DataType> types;
  private final Map<Long, List<Column>> fields = new HashMap<>();
  private final Map<Long, Draft> drafts = new LinkedHashMap<>();

  /** A routine, and its parameters read so far. */
  private record Draft(
      String schema,
      String name,
      String kind,
      boolean many,
      boolean readOnly,
      List<Column> columns,
      @Nullable String comment,
      List<Column> in,
      List<Column> out) {

    Routine finish() {
      var kind = this.kind.equals("p") ? Routine.Kind.PROCEDURE : Routine.Kind.FUNCTION;
      var result = out.isEmpty() ? columns : out;
      return new Routine(schema, name, kind, in, result, many, readOnly, comment);
    }
  }

  private PostgresRoutines(LongFunction<DataType> types) {
    this.types = types;
  }

  /**
   * Reads the routines into the draft.
   *
   * @param types the type of each type id
   */
  static void read(Connection connection, CatalogDraft draft, LongFunction<DataType> types)
      throws SQLException {
    var reading = new PostgresRoutines(types);
    CatalogDraft.each(connection, FIELDS, reading::field);
    CatalogDraft.each(connection, ROUTINES, reading::parameter);
    reading.drafts.values().forEach(each -> draft.routine(each.finish()));
  }

  private void field(ResultSet row) throws SQLException {
    var type = PostgresArray.nested(types.apply(row.getLong(3)), row.getInt(5));
    var column = column(row.getString(2), type, row.getString(4), null);
    fields.computeIfAbsent(row.getLong(1), any -> new ArrayList<>()).add(column);
  }

  private Column column(String name, long type, String nativeType, @Nullable String expression) {
    return column(name, types.apply(type), nativeType, expression);
  }

  private static Column column(
      String name, DataType type, String nativeType, @Nullable String expression) {
    return new Column(name, type, nativeType, true, expression, Column.Generation.NONE, null);
  }

  /** One row for each parameter, or a single one without. */
  private void parameter(ResultSet row) throws SQLException {
    var id = row.getLong(1);
    var draft = drafts.get(id);
    if (draft == null) {
      draft = draft(row);
      drafts.put(id, draft);
    }
    var type = row.getLong(13);
    if (type == 0) {
      return;
    }
    var mode = row.getString(12) == null ? "i" : row.getString(12);
    var name = row.getString(11) == null ? "" : row.getString(11);
    if (mode.equals("i") || mode.equals("b")) {
      var known = name.isEmpty() ? PostgresCall.unnamed(draft.in().size() + 1) : name;
      draft.in().add(column(known, type, row.getString(14), row.getString(15)));
    }
    if (!mode.equals("i")) {
      var known = name.isEmpty() ? "column" + (draft.out().size() + 1) : name;
      draft.out().add(column(known, type, row.getString(14), null));
    }
  }

  private Draft draft(ResultSet row) throws SQLException {
    var volatility = row.getString(5);
    return new Draft(
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getBoolean(6),
        row.getString(4).equals("f") && !volatility.equals("v"),
        resultColumns(row),
        CatalogDraft.blankToNull(row.getString(10)),
        new ArrayList<>(),
        new ArrayList<>());
  }

  /** The result, if it has no output parameters. */
  private List<Column> resultColumns(ResultSet row) throws SQLException {
    var type = row.getString(9);
    var relation = row.getLong(8);
    if (relation != 0) {
      return fields.getOrDefault(relation, List.of());
    }
    return type.equals("void") || type.equals("record")
        ? List.of()
        : List.of(column(row.getString(3), row.getLong(7), type, null));
  }
}
