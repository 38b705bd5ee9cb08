// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import static dev.evita.engine.jdbc.dialect.CatalogDraft.each;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.CatalogDraft;
import dev.evita.engine.jdbc.dialect.CatalogReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads PostgreSQL's catalog from {@code pg_catalog}, limited to objects that the user may select.
 *
 * <p>Partitions are not published beside the table that they are parts of. A key over a column that
 * the user may not select is omitted.
 */
final class PostgresCatalog implements CatalogReader {

  /** PostgreSQL names all keys, by the rules that are applied elsewhere. */
  private static final Pattern INVENTED_NAMES = Pattern.compile("(?!)");

  static final String VISIBLE_SCHEMA =
      """
      n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and has_schema_privilege(n.oid, 'USAGE')\
      """;
  private static final String FROM =
      """
       from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace\
      """;
  private static final String VISIBLE =
      "c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and " + VISIBLE_SCHEMA;
  private static final String DEFAULT_SCHEMA = "select current_schema()";
  private static final String SCHEMAS =
      "select n.nspname, obj_description(n.oid, 'pg_namespace') from pg_catalog.pg_namespace n where "
          + VISIBLE_SCHEMA
          + " order by 1";
  private static final String TABLES =
      "select n.nspname, c.relname, c.relkind, obj_description(c.oid, 'pg_class')"
          + FROM
          + " where "
          + VISIBLE
          + " and has_any_column_privilege(c.oid, 'SELECT') order by 1, 2";

  /**
   * A type is ordered by its own operator class, or by that of a type that it is implicitly cast
   * to; but the object identifier types are excluded, as users write names, not numbers.
   */
  private static final String TYPES =
      """
      select t.oid, t.typname, n.nspname, t.typtype, t.typbasetype,
        case when t.typinput = 'pg_catalog.array_in'::regproc then t.typelem else 0 end, t.typnotnull,
        t.typtype in ('r', 'm') or exists (
          select from pg_catalog.pg_opclass o
          join pg_catalog.pg_am m on m.oid = o.opcmethod and m.amname = 'btree'
          where o.opcdefault and o.opcintype <> 'oid'::regtype
            and (o.opcintype = t.oid or exists (
              select from pg_catalog.pg_cast c
              where c.castsource = t.oid and c.casttarget = o.opcintype
                and c.castmethod = 'b' and c.castcontext = 'i')))
      from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace\
      """;

  private static final String LABELS =
      "select enumtypid, enumlabel from pg_catalog.pg_enum order by enumtypid, enumsortorder";
  private static final String COLUMNS =
      """
      select n.nspname, c.relname, a.attname, a.atttypid,
        concat(pg_catalog.format_type(a.atttypid, a.atttypmod), (
          select format(' collate %I.%I', o.nspname, l.collname)
          from pg_catalog.pg_collation l join pg_catalog.pg_namespace o on o.oid = l.collnamespace
          where l.oid = a.attcollation and l.collname <> 'default'
            and a.atttypid <> 'name'::regtype)), a.attnotnull,
        pg_catalog.pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated,
        pg_catalog.col_description(c.oid, a.attnum), a.attndims, c.oid, a.attnum\
      """
          + FROM
          + """
           join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0
            and not a.attisdropped
          left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
          where\
          """
          + " "
          + VISIBLE
          + " and has_column_privilege(c.oid, a.attnum, 'SELECT') order by 1, 2, a.attnum";

  /**
   * The columns of auto-updatable views that correspond to a column of another relation, with that
   * column's default. For views it is available only in the tree of their query.
   */
  private static final String ORIGINS =
      """
      select r.ev_class, t.entry[1]::int, b.attrelid, b.attnum,
        case when b.attgenerated = '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end\
      """
          + FROM
          + """
           join pg_catalog.pg_rewrite r on r.ev_class = c.oid
          cross join lateral regexp_matches(r.ev_action::text,
            ':expr \\{VAR [^{}]*\\} :resno (\\d+) :resname (?:[^\\\\ ]|\\\\.)* \
          :ressortgroupref \\d+ :resorigtbl (\\d+) :resorigcol (\\d+)', 'g') as t(entry)
          join pg_catalog.pg_attribute b
            on b.attrelid = t.entry[2]::oid and b.attnum = t.entry[3]::int
          left join pg_catalog.pg_attrdef d on d.adrelid = b.attrelid and d.adnum = b.attnum
          where c.relkind = 'v' and pg_catalog.pg_relation_is_updatable(c.oid, false) & 4 = 4 and\
          """
          + " "
          + VISIBLE_SCHEMA;

  private static final String KEYS =
      """
      select n.nspname, c.relname, k.conname, k.contype, a.attname, tn.nspname, tc.relname, ta.attname\
      """
          + FROM
          + """
           join pg_catalog.pg_constraint k on k.conrelid = c.oid and k.contype in ('p', 'u', 'f')
            and k.conparentid = 0
          cross join lateral unnest(k.conkey, k.confkey) with ordinality as u(own, other, position)
          join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = u.own
          left join pg_catalog.pg_class tc on tc.oid = k.confrelid
          left join pg_catalog.pg_namespace tn on tn.oid = tc.relnamespace
          left join pg_catalog.pg_attribute ta on ta.attrelid = tc.oid and ta.attnum = u.other
          where\
          """
          + " "
          + VISIBLE
          + " order by 1, 2, 3, u.position";
  private static final String INDEXES =
      """
      select n.nspname, c.relname, ic.relname, i.indisunique, a.attname\
      """
          + FROM
          + """
           join pg_catalog.pg_index i on i.indrelid = c.oid and i.indisvalid
            and i.indpred is null and i.indexprs is null
          join pg_catalog.pg_class ic on ic.oid = i.indexrelid
          join pg_catalog.pg_am m on m.oid = ic.relam and m.amname = 'btree'
          cross join lateral unnest(i.indkey::smallint[]) with ordinality as u(own, position)
          join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = u.own
          where u.position <= i.indnkeyatts
            and not exists (select from pg_catalog.pg_constraint k
              where k.conindid = i.indexrelid and k.contype in ('p', 'u')) and\
          """
          + " "
          + VISIBLE
          + " order by 1, 2, 3, u.position";

  /** A row of pg_type. */
  private record Type(
      String name,
      String schema,
      String kind,
      long base,
      long element,
      boolean notNull,
      boolean ordered) {}

  /** A column of a constraint or index. */
  private record Part(
      String column, @Nullable TableName target, @Nullable String targetColumn, String kind) {}

  private record KeyName(TableName table, String key) {}

  /** A column by the numbers of its relation and its own. */
  private record Place(long relation, int column) {}

  /** The underlying column of a view's column, and its default. */
  private record Origin(Place place, @Nullable String expression) {}

  @Override
  public Catalog read(Connection connection, Set<String> schemas, long epoch) throws SQLException {
    return new Reading(connection, schemas).read(epoch);
  }

  /** One read of the catalog. */
  private static final class Reading {
    private final Connection connection;
    private final Set<String> schemas;
    private final CatalogDraft draft = new CatalogDraft(INVENTED_NAMES);
    private final Map<Long, Type> types = new HashMap<>();
    private final Map<Long, List<String>> labels = new HashMap<>();
    private final Map<TableName, Set<String>> columns = new HashMap<>();
    private final Set<TableName> views = new HashSet<>();
    private final Map<Place, Set<Origin>> origins = new HashMap<>();
    private String defaultSchema = "public";

    Reading(Connection connection, Set<String> schemas) {
      this.connection = connection;
      this.schemas = schemas;
    }

    Catalog read(long epoch) throws SQLException {
      each(connection, DEFAULT_SCHEMA, this::defaultSchema);
      each(connection, SCHEMAS, this::schema);
      each(connection, TABLES, this::table);
      each(connection, TYPES, this::type);
      each(
          connection,
          LABELS,
          row ->
              labels
                  .computeIfAbsent(row.getLong(1), any -> new ArrayList<>())
                  .add(row.getString(2)));
      each(connection, ORIGINS, this::origin);
      each(connection, COLUMNS, this::column);
      keys(KEYS).forEach(this::constraint);
      keys(INDEXES).forEach(this::index);
      PostgresRoutines.read(connection, draft, this::resolved);
      return draft.finish(epoch, defaultSchema, Catalog.Folding.NONE);
    }

    /** Null if the search path names no existing schema. */
    private void defaultSchema(ResultSet row) throws SQLException {
      var name = row.getString(1);
      defaultSchema = name == null ? defaultSchema : name;
    }

    private void schema(ResultSet row) throws SQLException {
      if (schemas.isEmpty() || schemas.contains(row.getString(1))) {
        draft.schema(row.getString(1), row.getString(2));
      }
    }

    private static TableName name(ResultSet row) throws SQLException {
      return new TableName(row.getString(1), row.getString(2));
    }

    private void table(ResultSet row) throws SQLException {
      var kind = row.getString(3);
      var view = kind.equals("v") || kind.equals("m");
      draft.table(name(row), view ? Table.Kind.VIEW : Table.Kind.TABLE, row.getString(4));
      if (view) {
        views.add(name(row));
      }
    }

    private void type(ResultSet row) throws SQLException {
      types.put(
          row.getLong(1),
          new Type(
              row.getString(2),
              row.getString(3),
              row.getString(4),
              row.getLong(5),
              row.getLong(6),
              row.getBoolean(7),
              row.getBoolean(8)));
    }

    private void column(ResultSet row) throws SQLException {
      var table = name(row);
      var column = row.getString(3);
      var type = row.getLong(4);
      var own = row.getString(7);
      var place = new Place(row.getLong(12), row.getInt(13));
      var expression = own == null && views.contains(table) ? inherited(place) : own;
      columns.computeIfAbsent(table, any -> new HashSet<>()).add(column);
      draft.column(
          table,
          new Column(
              column,
              PostgresArray.nested(resolved(type), row.getInt(11)),
              row.getString(5),
              views.contains(table) || !(row.getBoolean(6) || notNull(type)),
              expression,
              generation(row.getString(8), row.getString(9), expression),
              CatalogDraft.blankToNull(row.getString(10))));
    }

    private void origin(ResultSet row) throws SQLException {
      var origin = new Origin(new Place(row.getLong(3), row.getInt(4)), row.getString(5));
      origins
          .computeIfAbsent(new Place(row.getLong(1), row.getInt(2)), any -> new HashSet<>())
          .add(origin);
    }

    /**
     * The default of the underlying column of a view's column; null if there is none, or a subquery
     * of the view makes that column ambiguous.
     */
    private @Nullable String inherited(Place place) {
      var candidates = origins.getOrDefault(place, Set.of());
      if (candidates.size() != 1) {
        return null;
      }
      var origin = candidates.iterator().next();
      return origin.expression() == null ? inherited(origin.place()) : origin.expression();
    }

    private static Column.Generation generation(
        String identity, String generated, @Nullable String expression) {
      if (!generated.isBlank()) {
        return Column.Generation.COMPUTED;
      }
      return switch (identity) {
        case "a" -> Column.Generation.IDENTITY_ALWAYS;
        case "d" -> Column.Generation.IDENTITY_BY_DEFAULT;
        default ->
            expression != null && expression.startsWith("nextval(")
                ? Column.Generation.IDENTITY_BY_DEFAULT
                : Column.Generation.NONE;
      };
    }

    /** Whether the type is a domain that rejects null. */
    private boolean notNull(long oid) {
      var type = types.get(oid);
      return type != null && type.kind().equals("d") && (type.notNull() || notNull(type.base()));
    }

    private DataType resolved(long oid) {
      var type = types.get(oid);
      if (type == null) {
        return new DataType.Other("unknown", false);
      }
      if (type.kind().equals("d")) {
        return resolved(type.base());
      }
      if (type.kind().equals("e")) {
        return new DataType.Enumeration(qualified(type), labels.getOrDefault(oid, List.of()));
      }
      if (type.element() != 0) {
        return new DataType.Array(resolved(type.element()));
      }
      return type.schema().equals("pg_catalog") || type.name().equals("citext")
          ? PostgresTypeNames.type(type.name(), type.ordered())
          : new DataType.Other(qualified(type), type.ordered());
    }

    private String qualified(Type type) {
      return type.schema().equals(defaultSchema) || type.schema().equals("pg_catalog")
          ? type.name()
          : type.schema() + "_" + type.name();
    }

    /** Reads all columns of each key, in order; a key's columns are adjacent. */
    private Map<KeyName, List<Part>> keys(String query) throws SQLException {
      var keys = new LinkedHashMap<KeyName, List<Part>>();
      var constraints = query.equals(KEYS);
      each(
          connection,
          query,
          row -> {
            var key = new KeyName(name(row), row.getString(3));
            var part = constraints ? constraintPart(row) : indexPart(row);
            keys.computeIfAbsent(key, any -> new ArrayList<>()).add(part);
          });
      return keys;
    }

    private static Part constraintPart(ResultSet row) throws SQLException {
      var schema = row.getString(6);
      var target = schema == null ? null : new TableName(schema, row.getString(7));
      return new Part(row.getString(5), target, row.getString(8), row.getString(4));
    }

    private static Part indexPart(ResultSet row) throws SQLException {
      return new Part(row.getString(5), null, null, row.getBoolean(4) ? "u" : "i");
    }

    private boolean visible(TableName table, List<Part> parts) {
      var known = columns.getOrDefault(table, Set.of());
      return parts.stream().allMatch(part -> known.contains(part.column()));
    }

    private void constraint(KeyName name, List<Part> parts) {
      if (!visible(name.table(), parts)) {
        return;
      }
      for (var part : parts) {
        switch (part.kind()) {
          case "p" -> draft.primaryKey(name.table(), name.key(), part.column());
          case "u" -> draft.uniqueKey(name.table(), name.key(), part.column());
          default -> foreignKey(name, part, parts);
        }
      }
    }

    private void foreignKey(KeyName name, Part part, List<Part> parts) {
      var target = part.target();
      var targetColumn = part.targetColumn();
      if (target == null || targetColumn == null) {
        return;
      }
      var known = columns.getOrDefault(target, Set.of());
      if (parts.stream().allMatch(each -> known.contains(each.targetColumn()))) {
        draft.foreignKey(name.table(), name.key(), part.column(), target, targetColumn);
      }
    }

    private void index(KeyName name, List<Part> parts) {
      if (!visible(name.table(), parts)) {
        return;
      }
      for (var part : parts) {
        if (part.kind().equals("u")) {
          draft.uniqueKey(name.table(), name.key(), part.column());
        } else {
          draft.index(name.table(), name.key(), part.column());
        }
      }
    }
  }
}
