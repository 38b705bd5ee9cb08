// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import static dev.evita.engine.jdbc.dialect.CatalogDraft.each;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Routine;
import dev.evita.engine.jdbc.dialect.CatalogDraft;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.h2.H2Catalog.Declared;
import dev.evita.engine.jdbc.h2.H2Catalog.Descriptor;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jooq.SQLDialect;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads H2's aliases of Java methods. Deterministic ones are read-only.
 *
 * <p>H2 learns the columns of an alias's result set by calling it, over a connection whose URL is
 * {@code jdbc:columnlist:connection}; its catalog does not contain them. They are determined here
 * in the same way, in a transaction that is rolled back. If H2 runs in another process, whose
 * catalog is read repeatedly, such aliases are omitted. So are those whose last parameter is a
 * list, which cannot be distinguished from a method with a variable number of arguments.
 */
final class H2Routines {

  private static final Logger LOG = LoggerFactory.getLogger(H2Routines.class);

  private static final String ROUTINES =
      "SELECT ROUTINE_SCHEMA, SPECIFIC_NAME, ROUTINE_NAME, "
          + H2Catalog.TYPE
          + """
          , ROUTINE_TYPE, IS_DETERMINISTIC, REMARKS FROM INFORMATION_SCHEMA.ROUTINES
          WHERE UPPER(ROUTINE_SCHEMA) NOT IN ('INFORMATION_SCHEMA', 'PG_CATALOG') AND UPPER(ROUTINE_TYPE) <> 'AGGREGATE'
          ORDER BY ROUTINE_SCHEMA, ROUTINE_NAME, SPECIFIC_NAME\
          """;
  private static final String PARAMETERS =
      "SELECT SPECIFIC_SCHEMA, SPECIFIC_NAME, PARAMETER_NAME, "
          + H2Catalog.TYPE
          + """
           FROM INFORMATION_SCHEMA.PARAMETERS
          WHERE UPPER(SPECIFIC_SCHEMA) NOT IN ('INFORMATION_SCHEMA', 'PG_CATALOG') ORDER BY 1, 2, ORDINAL_POSITION\
          """;

  private final Connection connection;
  private final H2Catalog catalog;
  private final Map<Method, List<Column>> parameters = new HashMap<>();
  private final List<Alias> aliases = new ArrayList<>();

  /** One of the methods of an alias. */
  private record Method(String schema, String name) {}

  /**
   * An alias.
   *
   * @param result null if it returns nothing, or a result set
   */
  private record Alias(
      Method method,
      String name,
      @Nullable Column result,
      boolean returnsResult,
      boolean readOnly,
      @Nullable String comment) {}

  /**
   * Creates a reader.
   *
   * @param catalog provides the element types
   */
  H2Routines(Connection connection, H2Catalog catalog) {
    this.connection = connection;
    this.catalog = catalog;
  }

  void read(CatalogDraft draft) throws SQLException {
    each(connection, PARAMETERS, this::parameter);
    each(connection, ROUTINES, this::alias);
    for (var alias : aliases) {
      var known = parameters.getOrDefault(alias.method(), List.of());
      var hasResultSet = alias.returnsResult() && alias.result() == null;
      if (!draft.hasSchema(alias.method().schema())
          || (!known.isEmpty() && known.getLast().type() instanceof DataType.Array)
          || (hasResultSet && H2SchemaGuard.session(connection) == null)) {
        continue;
      }
      var result = hasResultSet ? columns(alias, known.size()) : one(alias.result());
      if (result != null) {
        draft.routine(routine(alias, known, result, hasResultSet));
      }
    }
  }

  private void parameter(ResultSet row) throws SQLException {
    var method = new Method(row.getString(1), row.getString(2));
    parameters
        .computeIfAbsent(method, any -> new ArrayList<>())
        .add(column(method, row.getString(3), Declared.from(row, 4)));
  }

  private Column column(Method method, String name, Declared declared) {
    var descriptor =
        new Descriptor(method.schema(), method.name(), "ROUTINE", declared.identifier());
    return catalog.column(name, declared, descriptor);
  }

  private void alias(ResultSet row) throws SQLException {
    var method = new Method(row.getString(1), row.getString(2));
    var name = row.getString(3);
    aliases.add(
        new Alias(
            method,
            name,
            row.getString(4) == null ? null : column(method, name, Declared.from(row, 4)),
            !"PROCEDURE".equals(H2Catalog.word(row, 11)),
            "YES".equals(H2Catalog.word(row, 12)),
            CatalogDraft.blankToNull(row.getString(13))));
  }

  private static List<Column> one(@Nullable Column result) {
    return result == null ? List.of() : List.of(result);
  }

  private static Routine routine(
      Alias alias, List<Column> parameters, List<Column> result, boolean many) {
    return new Routine(
        alias.method().schema(),
        alias.name(),
        parameters,
        result,
        many,
        alias.readOnly(),
        alias.comment());
  }

  /** The columns of its result set; null if they are unknown, or two have the same name. */
  private @Nullable List<Column> columns(Alias alias, int arguments) throws SQLException {
    var sql = new Sql(SQLDialect.H2);
    var call =
        "select * from %s.%s(%s)"
            .formatted(
                sql.quoted(alias.method().schema()),
                sql.quoted(alias.name()),
                String.join(", ", Collections.nCopies(arguments, "?")));
    connection.setAutoCommit(false);
    try (var statement = connection.prepareStatement(call)) {
      return columns(statement.getMetaData());
    } catch (SQLException e) {
      LOG.warn(
          "Alias {} is omitted: the columns of its result set cannot be determined by calling it"
              + " with nulls over jdbc:columnlist:connection: {}",
          alias.name(),
          String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      return null;
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private static @Nullable List<Column> columns(ResultSetMetaData result) throws SQLException {
    var columns = new ArrayList<Column>();
    var names = new HashSet<String>();
    for (int i = 1; i <= result.getColumnCount(); i++) {
      var nativeType = result.getColumnTypeName(i);
      var name = result.getColumnLabel(i);
      if (!names.add(name)) {
        return null;
      }
      columns.add(
          new Column(
              name,
              H2TypeNames.resultType(nativeType),
              nativeType,
              true,
              null,
              Column.Generation.NONE,
              null));
    }
    return columns;
  }
}
