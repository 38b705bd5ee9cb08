// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Capability;
import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import dev.evita.api.Table;
import dev.evita.api.TransactionOptions;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;

/**
 * PostgreSQL from version 12 on, over the network.
 *
 * <p>Many keys are one array. A large result comes through a cursor, which lives in a transaction.
 * Commits of other clients cannot be seen, so there is nothing to watch.
 */
final class PostgresDialect extends Dialect {

  /** Details that are not for everybody: whole rows, and the numbers of processes. */
  private static final Pattern INTERNAL =
      Pattern.compile("(?s)(?:Failing row contains|Process ).*");

  /** Run on each new connection: intervals in the form of {@link DataType.Scalar#INTERVAL}. */
  private static final String SESSION = "set intervalstyle = iso_8601";

  private static final String CHECK_CONNECTION = "set client_connection_check_interval = '1s'";

  /** The classes of SQLStates in appendix A, without those of {@code raise}. */
  private static final Set<String> OWN_CLASSES =
      Set.of(
          ("00 01 02 03 08 09 0A 0B 0F 0L 0P 0Z 10 20 21 22 23 24 25 26 27 28 2B 2D 2F 34 38 39 3B "
                  + "3D 3F 40 42 44 53 54 55 57 58 72 F0 HV XX")
              .split(" "));

  private static final int FETCH = 1_000;

  /** What counts the changes of each table of the system catalog that {@link #catalog} reads. */
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

  private static final String COLLATE = " collate ";

  private static final Pattern MODIFIER = Pattern.compile("\\([0-9, ]*\\)");

  private static String changes(String table, String where) {
    return "(select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.%s where %s)"
        .formatted(table, where);
  }

  @Override
  SQLDialect jooq() {
    return SQLDialect.POSTGRES;
  }

  @Override
  Set<Capability> capabilities() {
    return Set.of(
        Capability.REGULAR_EXPRESSIONS,
        Capability.ARRAYS,
        Capability.JSON_CONTAINMENT,
        Capability.JSON_PATHS,
        Capability.FULL_TEXT,
        Capability.ENUMERATIONS,
        Capability.ROUTINES,
        Capability.READ_ONLY_TRANSACTIONS);
  }

  @Override
  CatalogReader catalog() {
    return new PostgresCatalog();
  }

  @Override
  String fingerprint(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(FINGERPRINT)) {
      row.next();
      return row.getString(1);
    }
  }

  @Override
  void session(Connection connection) throws SQLException {
    execute(connection, SESSION);
  }

  /**
   * The statements that set up a connection of our own. The server ends a statement whose
   * connection was closed, where it can look for that; by default it would compute to the end.
   */
  static String ownSession(Connection connection) throws SQLException {
    if (connection.getMetaData().getDatabaseMajorVersion() < 14) {
      return SESSION;
    }
    try {
      execute(connection, CHECK_CONNECTION);
      return SESSION + "; " + CHECK_CONNECTION;
    } catch (SQLException e) {
      return SESSION; // not on all systems
    }
  }

  /**
   * The type of this name in pg_type; those without an equal elsewhere are their own text.
   *
   * @param ordered whether the server has an order for it
   */
  static DataType type(String name, boolean ordered) {
    return switch (name) {
      case "bool" -> DataType.Scalar.BOOLEAN;
      case "int2", "smallserial" -> DataType.Scalar.INT16;
      case "int4", "serial" -> DataType.Scalar.INT32;
      case "int8", "bigserial", "oid" -> DataType.Scalar.INT64;
      case "numeric" -> DataType.Scalar.DECIMAL;
      case "float4" -> DataType.Scalar.FLOAT32;
      case "float8" -> DataType.Scalar.FLOAT64;
      case "text", "varchar", "bpchar", "char", "name", "citext" -> DataType.Scalar.TEXT;
      case "bytea" -> DataType.Scalar.BINARY;
      case "date" -> DataType.Scalar.DATE;
      case "time" -> DataType.Scalar.TIME;
      case "timetz" -> DataType.Scalar.TIME_TZ;
      case "timestamp" -> DataType.Scalar.TIMESTAMP;
      case "timestamptz" -> DataType.Scalar.TIMESTAMP_TZ;
      case "interval" -> DataType.Scalar.INTERVAL;
      case "uuid" -> DataType.Scalar.UUID;
      case "json", "jsonb" -> DataType.Scalar.JSON;
      default -> new DataType.Other(name, ordered);
    };
  }

  @Override
  Codec codec(DataType type, String nativeType, String where) {
    return new PostgresCodec(type, where, ErrorCode.STORED_VALUE_INVALID);
  }

  @Override
  Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException {
    var name = columns.getColumnTypeName(index);
    var label = columns.getColumnLabel(index);
    return name.startsWith("_")
        ? codec(new DataType.Array(type(name.substring(1), false)), name, label)
        : codec(type(name, false), name, label);
  }

  @Override
  Condition in(Field<Object> column, Codec codec, Field<Object> many) {
    var type = comparedAs(codec.type());
    return type == null
        ? DSL.condition("{0} = any({1})", column, many)
        : DSL.condition("{0} = any({1})", cast(column, type), cast(many, type + "[]"));
  }

  /**
   * The type that values are cast to for comparison, as their own has no order; null where it has.
   * JSON counts as the same whatever its spaces and the order of its members.
   */
  private static @Nullable String comparedAs(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar -> scalar == DataType.Scalar.JSON ? "jsonb" : null;
      case DataType.Other other -> other.ordered() ? null : "text";
      case DataType.Enumeration enumeration -> null;
      case DataType.Array(var element) -> {
        var compared = comparedAs(element);
        yield compared == null ? null : compared + "[]";
      }
    };
  }

  private static Field<Object> cast(Field<Object> field, @Nullable String type) {
    return type == null ? field : DSL.field("cast({0} as " + type + ")", Object.class, field);
  }

  @Override
  Field<Object> compared(Field<Object> column, Codec codec) {
    return cast(column, comparedAs(codec.type()));
  }

  @Override
  Field<Object> placed(Field<Object> placeholder, Codec codec) {
    return cast(placeholder, comparedAs(codec.type()));
  }

  /** The group's value would have to be the column's own, and not what it is compared as. */
  @Override
  void requireGroups(Codec codec) {
    if (comparedAs(codec.type()) != null) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "Rows cannot be grouped by %s: PostgreSQL has no order for its type; expected a column"
                  .formatted(codec.where())
              + " of another type than json, xml, geometric ones and composites");
    }
  }

  @Override
  Condition contains(
      Sql sql, Field<Object> left, Codec codec, Comparison comparison, Bind.Value right) {
    if (!PostgresOperators.contains(codec.type(), comparison)) {
      return super.contains(sql, left, codec, comparison, right);
    }
    var place = placed(sql.place(right), codec);
    return PostgresOperators.contains(compared(left, codec), codec.type(), comparison, place);
  }

  @Override
  Condition matches(Sql sql, Field<Object> column, Codec codec, Filter.FullText search) {
    if (!PostgresOperators.searchable(codec.type())) {
      return super.matches(sql, column, codec, search);
    }
    var text = codec(DataType.Scalar.TEXT, "", codec.where());
    var query = sql.place(new Bind.Value(search.query(), text));
    return PostgresOperators.search(column, codec.type(), search, query);
  }

  @Override
  Field<Object> path(Field<Object> field, Column column, Output.Path path) {
    if (column.type() != DataType.Scalar.JSON) {
      throw unsupported("path into '" + column.name() + "', which is no json or jsonb");
    }
    return PostgresOperators.path(field, path);
  }

  @Override
  String castType(DataType.Scalar type) {
    return PostgresOperators.castType(type);
  }

  @Override
  Codec castCodec(DataType from, DataType.Scalar to, String where) {
    return new PostgresCodec(to, where, ErrorCode.INVALID_DATA);
  }

  @Override
  boolean joinsTuples() {
    return true;
  }

  /**
   * Not citext, nor those padded with spaces, nor domains, which may be of either. The server's own
   * collations hold equal what is; others need not be deterministic.
   */
  @Override
  boolean exactText(String nativeType) {
    var collation = collation(nativeType);
    var type = nativeType.substring(0, nativeType.length() - collation.length());
    return (type.startsWith("character varying") || type.equals("text") || type.equals("name"))
        && (collation.isEmpty() || collation.startsWith(COLLATE + "pg_catalog."));
  }

  /** The clause of a type as {@link PostgresCatalog} writes it; empty for the default. */
  private static String collation(String nativeType) {
    var start = nativeType.indexOf(COLLATE);
    return start < 0 ? "" : nativeType.substring(start);
  }

  /** Between two collations, the server would not choose. */
  @Override
  Condition refers(
      Field<Object> reference, Column referring, Field<Object> key, Column referredTo) {
    var collation = collation(referredTo.nativeType());
    if (collation.equals(collation(referring.nativeType()))) {
      return key.eq(reference);
    }
    var clause = collation.isEmpty() ? COLLATE + "pg_catalog.\"default\"" : collation;
    return DSL.condition("{0} = ({1})" + clause, key, reference);
  }

  @Override
  String arrayOf(String nativeType) {
    return unlimited(nativeType) + "[]";
  }

  /** The type without its collation and its length, to which a cast would cut a longer key. */
  private static String unlimited(String nativeType) {
    var type = nativeType.substring(0, nativeType.length() - collation(nativeType).length());
    var name = MODIFIER.matcher(type).replaceAll("");
    return switch (name) {
      case "character" -> "bpchar";
      case "bit" -> "varbit";
      default -> name;
    };
  }

  @Override
  String textType() {
    return "text";
  }

  @Override
  Field<Object> aggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    if (function == Output.Function.SUM && type == DataType.Scalar.FLOAT32) {
      // The sum of reals is a real, in which 16 777 216 plus one is the same.
      var wide = DSL.field("cast({0} as double precision)", Object.class, column);
      return super.aggregate(function, distinct, wide, type);
    }
    if (function == Output.Function.MIN || function == Output.Function.MAX) {
      return extreme(function, column, type);
    }
    return super.aggregate(function, distinct, column, type);
  }

  /** PostgreSQL orders truth values and, before version 18, UUIDs, but has no minimum of them. */
  private Field<Object> extreme(Output.Function function, Field<Object> column, DataType type) {
    var least = function == Output.Function.MIN;
    if (type == DataType.Scalar.BOOLEAN) {
      return DSL.field((least ? "bool_and" : "bool_or") + "({0})", Object.class, column);
    }
    if (type == DataType.Scalar.UUID) {
      var text = "cast(" + (least ? "min" : "max") + "(cast({0} as text) collate \"C\") as uuid)";
      return DSL.field(text, Object.class, column);
    }
    return super.aggregate(function, false, column, type);
  }

  /**
   * An update of a view knows the defaults of the view's own columns alone, and would set null for
   * those of the table below it.
   */
  @Override
  String defaultValue(Table table, Column column) {
    var expression = column.defaultExpression();
    return table.kind() == Table.Kind.VIEW && expression != null
        ? "(" + expression + ")"
        : super.defaultValue(table, column);
  }

  @Override
  String returning(Write write, String statement, List<String> columns) {
    return statement + " returning " + String.join(", ", columns);
  }

  @Override
  SqlText call(Routine routine, Map<String, Parameter> arguments, List<String> columns) {
    return new PostgresCall(this, routine, arguments).text(columns);
  }

  @Override
  void begin(Connection connection, TransactionOptions options) throws SQLException {
    connection.setReadOnly(options.readOnly());
    super.begin(connection, options);
  }

  @Override
  boolean refusesWrites() {
    return true;
  }

  @Override
  void checkDeferred(Connection connection) throws SQLException {
    execute(connection, "set constraints all immediate");
  }

  @Override
  void afterTransaction(Connection connection, TransactionOptions options, int isolation)
      throws SQLException {
    super.afterTransaction(connection, options, isolation);
    if (options.readOnly()) {
      connection.setReadOnly(false);
    }
  }

  @Override
  boolean doubledQuestionMark() {
    return true;
  }

  @Override
  void bindAny(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
    switch (value) {
      case null -> statement.setNull(index, Types.NULL);
      case String text -> statement.setObject(index, text, Types.OTHER);
      case BigInteger number -> statement.setBigDecimal(index, new BigDecimal(number));
      case List<?> list -> statement.setObject(index, PostgresArray.write(list), Types.OTHER);
      default -> statement.setObject(index, value);
    }
  }

  @Override
  boolean cancelBlocks() {
    return true;
  }

  /** The statement's own cancel does nothing the second time, even if the first came too early. */
  @Override
  void cancel(PreparedStatement statement) throws SQLException {
    statement.getConnection().unwrap(PGConnection.class).cancelQuery();
  }

  @Override
  int fetchSize() {
    return FETCH;
  }

  @Override
  boolean streamsInTransactionOnly() {
    return true;
  }

  @Override
  @Nullable ErrorCode code(SQLException failure) {
    if (failure instanceof SQLTransientConnectionException) {
      return unconnected(failure.getCause());
    }
    var state = String.valueOf(failure.getSQLState());
    return switch (state) {
      case "57014" -> says(failure, "timeout") ? ErrorCode.DEADLINE_EXCEEDED : ErrorCode.CANCELLED;
      case "0A000" -> unsupported(failure);
      case "2D000" -> ErrorCode.UNSUPPORTED_OPERATION;
      case "25P02" -> ErrorCode.TRANSACTION_CLOSED;
      case "25P03", "25P04" -> ErrorCode.DATABASE_UNREACHABLE;
      case "55P03" -> ErrorCode.SERIALIZATION_FAILURE;
      case "23P01" -> ErrorCode.UNIQUE_VIOLATION;
      case "428C9" -> ErrorCode.INVALID_DATA;
      case "42501" -> ErrorCode.PERMISSION_DENIED;
      case "55000" -> ErrorCode.UNSUPPORTED_OPERATION; // a view that cannot be written
      case "21000", "54000", "54001" -> ErrorCode.INVALID_DATA;
      case "53100" -> ErrorCode.STORAGE_FAILED;
      case "53200" -> ErrorCode.OVERLOADED;
      case "53400" ->
          ErrorCode.DATABASE_ERROR; // a limit of its configuration, which no retry moves
      case "22P02", "22007", "22008", "22021", "22P05" -> ErrorCode.INVALID_DATA;
      default -> byClass(state);
    };
  }

  private static ErrorCode unsupported(SQLException failure) {
    if (says(failure, "non-volatile function")) {
      return ErrorCode.READ_ONLY;
    }
    return says(failure, "cached plan")
        ? ErrorCode.CATALOG_CHANGED
        : ErrorCode.UNSUPPORTED_OPERATION;
  }

  /** A class that is not the server's own was made up by who wrote a function. */
  private static @Nullable ErrorCode byClass(String state) {
    return state.length() == 5 && !OWN_CLASSES.contains(state.substring(0, 2))
        ? ErrorCode.RAISED
        : null;
  }

  /** The pool tells in one class of exception that it is empty and that it cannot be filled. */
  private static ErrorCode unconnected(@Nullable Throwable cause) {
    var state = cause instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "53300";
    return state.startsWith("53") ? ErrorCode.POOL_EXHAUSTED : ErrorCode.DATABASE_UNREACHABLE;
  }

  private static boolean says(SQLException failure, String words) {
    return String.valueOf(failure.getMessage()).contains(words);
  }

  /** Without the name of the pool and of the host. */
  @Override
  String message(SQLException failure) {
    if (failure instanceof PSQLException known && hasServerMessage(known)) {
      return String.valueOf(known.getServerErrorMessage().getMessage());
    }
    var driverMessage = super.message(failure);
    if (driverMessage.contains("Connection is not available")) {
      return "No connection to the database became free in time";
    }
    if (driverMessage.startsWith("Connection to ")) {
      return "The database does not answer";
    }
    return driverMessage;
  }

  @Override
  @Nullable String details(SQLException failure) {
    var details =
        failure instanceof PSQLException known && hasServerMessage(known)
            ? known.getServerErrorMessage().getDetail()
            : null;
    return details == null || INTERNAL.matcher(details).matches() ? null : details;
  }

  @Override
  @Nullable String hint(SQLException failure) {
    return failure instanceof PSQLException known && hasServerMessage(known)
        ? known.getServerErrorMessage().getHint()
        : null;
  }

  /** Whether the server said it, rather than the driver. */
  private static boolean hasServerMessage(PSQLException failure) {
    return failure.getServerErrorMessage() != null;
  }

  /**
   * Whether it happened in the body of a function, which the server says with the place. It also
   * says so of a parameter that cannot be read ("unnamed portal parameter $1").
   */
  private static boolean inBody(SQLException failure) {
    var where =
        failure instanceof PSQLException known && hasServerMessage(known)
            ? known.getServerErrorMessage().getWhere()
            : null;
    return where != null && where.contains(" function ");
  }

  @Override
  ErrorCode unknownInCall(SQLException failure) {
    return inBody(failure) ? ErrorCode.DATABASE_ERROR : ErrorCode.CATALOG_CHANGED;
  }

  /** Of all that is wrong with a statement, missing names alone may be due to a changed catalog. */
  @Override
  ErrorCode unknownName(SQLException failure) {
    if (inBody(failure)) {
      return ErrorCode
          .DATABASE_ERROR; // a trigger's or a policy's, as calls have a method of their own
    }
    return switch (String.valueOf(failure.getSQLState())) {
      case "42883", "42804", "42809", "42846" -> ErrorCode.UNSUPPORTED_OPERATION; // for a type
      case "42601" -> ErrorCode.INVALID_DATA; // of a tsquery, as no other text comes from a user
      case "42704" -> unknownObject(failure);
      case "42P01", "42703" -> ErrorCode.CATALOG_CHANGED;
      default -> ErrorCode.DATABASE_ERROR;
    };
  }

  private static ErrorCode unknownObject(SQLException failure) {
    if (says(failure, "text search")) {
      return ErrorCode.INVALID_DATA;
    }
    // There are no arrays of arrays, such as a list of those to compare with.
    return says(failure, "array type")
        ? ErrorCode.UNSUPPORTED_OPERATION
        : ErrorCode.CATALOG_CHANGED;
  }

  @Override
  boolean behindSocket() {
    return true;
  }
}
