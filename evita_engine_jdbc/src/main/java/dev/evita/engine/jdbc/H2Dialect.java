// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Capability;
import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import dev.evita.api.TableName;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.h2.engine.Database;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * H2, embedded or served.
 *
 * <p>How 20 keys are handed over was measured (H2 2.5.252, primary key of {@code bigint}, 2 cores):
 * {@code = any(?)} with an array 6.9 us; 20 placeholders 11.1 us; a join with {@code unnest(?)}
 * 12.1 us; {@code in (select ... from unnest(?))} 242 us, as it uses no index. So one column goes
 * by {@code any}, several by the join.
 */
final class H2Dialect extends Dialect {

  private static final String IGNORING_CASE = "VARCHAR_IGNORECASE";

  private static final Pattern DECIMAL_COLUMN =
      Pattern.compile("column \"[^:]*(NUMERIC|DECFLOAT|DECIMAL)\\(");

  private static final Pattern EXISTING_ROW =
      Pattern.compile(" (?:VALUES )?\\( ?/\\*.*\"", Pattern.DOTALL);
  private static final Pattern VENDOR_CODE =
      Pattern.compile("(; SQL statement:.*)?\\s*\\[[0-9]{5}-[0-9]{3}]\\s*$", Pattern.DOTALL);

  /** Of an alias that was given null for a number, upon which H2 does not call it. */
  private static final int NO_RESULT = 90000;

  private static final Set<Integer> STORAGE =
      Set.of(
          DataUtils.ERROR_READING_FAILED,
          DataUtils.ERROR_WRITING_FAILED,
          DataUtils.ERROR_FILE_CORRUPT);

  private static final int MISSING_ALIAS = 90022;
  private static final int EXCEPTION_IN_ALIAS = 90105;
  private static final Pattern ALIAS_CALL =
      Pattern.compile("Exception calling user-defined function: \".*?\\): (.*)\"", Pattern.DOTALL);

  private final boolean embedded;

  H2Dialect(boolean embedded) {
    this.embedded = embedded;
  }

  @Override
  SQLDialect jooq() {
    return SQLDialect.H2;
  }

  @Override
  Set<Capability> capabilities() {
    var all =
        EnumSet.of(
            Capability.ARRAYS,
            Capability.JSON_PATHS,
            Capability.ENUMERATIONS,
            Capability.ROUTINES,
            Capability.READ_ONLY_TRANSACTIONS);
    if (embedded) {
      all.add(Capability.IN_PROCESS);
    }
    return Set.copyOf(all);
  }

  @Override
  boolean behindSocket() {
    return !embedded;
  }

  /** What H2 has in memory then is not what it has stored: only opening it again tells. */
  @Override
  Health afterStorageFault(EvitaException fault) {
    return new Health.Down(fault);
  }

  /**
   * After a write that failed, H2 closes its store. A statement on it, also COMMIT or ROLLBACK, and
   * what a connection does at its end, may then look for ever for the version that it reads
   * (MVStore.registerVersionUsage: 2.5.252).
   */
  @Override
  boolean isLost(Connection connection) {
    try {
      var session = embedded ? H2SchemaGuard.session(connection) : null;
      return session != null && session.getDatabase().getStore().getMvStore().isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  /** Not for a database in another process, of which there are no tables to ask here. */
  @Override
  @Nullable ChangeCounters counters(Connection connection, boolean kept) throws SQLException {
    var session = H2SchemaGuard.session(connection);
    return session == null ? null : new ModificationIds(session.getDatabase());
  }

  /** H2 marks the tables of a transaction before it commits and again after. */
  private record ModificationIds(Database database) implements ChangeCounters {

    private static final int MARKS_OF_A_COMMIT = 2;

    @Override
    public long total() {
      return database.getModificationDataId();
    }

    @Override
    public boolean byTable() {
      return true;
    }

    @Override
    public boolean triggers() {
      return database.getAllSchemasNoMeta().stream()
          .anyMatch(schema -> !schema.getAllTriggers().isEmpty());
    }

    @Override
    public boolean single(long before, long after) {
      return after - before == MARKS_OF_A_COMMIT;
    }

    @Override
    public long of(TableName name) {
      var schema = database.findSchema(name.schema());
      var table = schema == null ? null : schema.findTableOrView(null, name.table());
      return table == null ? 0 : table.getMaxDataModificationId();
    }
  }

  @Override
  CatalogReader catalog() {
    return new H2Catalog();
  }

  @Override
  @Nullable String fingerprint(Connection connection) throws SQLException {
    var session = H2SchemaGuard.session(connection);
    return session == null ? null : H2Fingerprint.of(session);
  }

  /** As {@link H2SchemaGuard} tells: for a moment there is no table, or another. */
  @Override
  long schemaSteps(Connection connection) throws SQLException {
    var session = H2SchemaGuard.session(connection);
    if (session == null) {
      return 0;
    }
    var database = session.getDatabase();
    return database.isSysTableLocked() ? -1 : database.getModificationMetaId();
  }

  @Override
  SchemaGuard guard(Collection<TableName> tables) {
    return new H2SchemaGuard(tables);
  }

  @Override
  void session(Connection connection) throws SQLException {
    // Without it H2 collects a whole result before it gives the first row.
    execute(connection, "set lazy_query_execution 1");
  }

  /**
   * A query within a query, as a view is, looks for a cancel at the session's current command, and
   * between two rows of a lazy result there is none. So the session is told as well, as H2 does it
   * where a connection is closed.
   */
  @Override
  void cancel(PreparedStatement statement) throws SQLException {
    statement.cancel();
    statement.getConnection().unwrap(JdbcConnection.class).getSession().cancel();
  }

  /** What the session was told may come too late for this command, and would hit the next. */
  @Override
  boolean cancelSpoils() {
    return true;
  }

  /** The type of this name in INFORMATION_SCHEMA. */
  static DataType type(String name) {
    return switch (name) {
      case "BOOLEAN" -> DataType.Scalar.BOOLEAN;
      case "TINYINT", "SMALLINT" -> DataType.Scalar.INT16;
      case "INTEGER" -> DataType.Scalar.INT32;
      case "BIGINT" -> DataType.Scalar.INT64;
      case "NUMERIC", "DECIMAL", "DECFLOAT" -> DataType.Scalar.DECIMAL;
      case "REAL" -> DataType.Scalar.FLOAT32;
      case "DOUBLE PRECISION", "FLOAT" -> DataType.Scalar.FLOAT64;
      case "CHARACTER VARYING", "CHARACTER", "VARCHAR_IGNORECASE", "CHARACTER LARGE OBJECT" ->
          DataType.Scalar.TEXT;
      case "BINARY VARYING", "BINARY", "BINARY LARGE OBJECT", "JAVA_OBJECT" ->
          DataType.Scalar.BINARY;
      case "DATE" -> DataType.Scalar.DATE;
      case "TIME" -> DataType.Scalar.TIME;
      case "TIME WITH TIME ZONE" -> DataType.Scalar.TIME_TZ;
      case "TIMESTAMP" -> DataType.Scalar.TIMESTAMP;
      case "TIMESTAMP WITH TIME ZONE" -> DataType.Scalar.TIMESTAMP_TZ;
      case "UUID" -> DataType.Scalar.UUID;
      case "JSON" -> DataType.Scalar.JSON;
      default ->
          name.startsWith("INTERVAL") ? DataType.Scalar.INTERVAL : new DataType.Other(name, true);
    };
  }

  @Override
  Codec codec(DataType type, String nativeType, String where) {
    return new H2Codec(type, nativeType, where);
  }

  @Override
  Condition in(Field<Object> column, Codec codec, Field<Object> many) {
    return DSL.condition("{0} = any({1})", column, many);
  }

  @Override
  Condition contains(
      Sql sql, Field<Object> left, Codec codec, Comparison comparison, Bind.Value right) {
    return codec.type() instanceof DataType.Array(DataType.Scalar element)
            && element != DataType.Scalar.INTERVAL
            && comparison.compareTo(Comparison.OVERLAPS) <= 0
        ? H2Operators.contains(left, castType(element), comparison, sql.place(right))
        : super.contains(sql, left, codec, comparison, right);
  }

  @Override
  Field<Object> path(Field<Object> field, Column column, Output.Path path) {
    if (column.type() != DataType.Scalar.JSON) {
      throw unsupported("path into '" + column.name() + "', which is no JSON");
    }
    return H2Operators.path(field, path);
  }

  @Override
  Field<Object> cast(Field<Object> value, DataType from, DataType.Scalar to) {
    return from == DataType.Scalar.TEXT && to == DataType.Scalar.JSON
        ? DSL.field("({0} format json)", Object.class, value)
        : super.cast(value, from, to);
  }

  @Override
  String castType(DataType.Scalar type) {
    return H2Operators.castType(type);
  }

  @Override
  Codec castCodec(DataType from, DataType.Scalar to, String where) {
    return codec(to, "", where);
  }

  @Override
  boolean joinsTuples() {
    return true;
  }

  /** Not those without regard to case, nor those padded with spaces. */
  @Override
  boolean exactText(String nativeType) {
    return nativeType.startsWith("CHARACTER VARYING")
        || nativeType.startsWith("CHARACTER LARGE OBJECT");
  }

  /** Between two types of texts, H2 compares by that which does not regard case. */
  @Override
  Condition refers(
      Field<Object> reference, Column referring, Field<Object> key, Column referredTo) {
    var equal = key.eq(reference);
    return exactText(referredTo.nativeType()) && referring.nativeType().startsWith(IGNORING_CASE)
        ? equal.and(key.eq(DSL.field("cast({0} as varchar)", Object.class, reference)))
        : equal;
  }

  @Override
  String arrayOf(String nativeType) {
    return nativeType + " array";
  }

  /**
   * H2 compares a text with a pattern of many {@code %} in a time that grows with their number as
   * exponent, and does not hear of a cancel meanwhile: so only the beginning is left to its {@code
   * LIKE}, which may use an index for it. Regular expressions of users could be as bad; as nothing
   * would stop them, there are none.
   */
  @Override
  Condition matches(
      Sql sql, Field<Object> text, Comparison comparison, Parameter pattern, Codec codec) {
    return switch (comparison) {
      case LIKE -> {
        var prefix = sql.place(new Bind.Pattern(pattern, codec, Patterns::prefix));
        var whole = new Bind.Pattern(pattern, codec, form -> Patterns.regex(form, false));
        yield DSL.condition(
            "{0} like {1} escape '\\' and {0} regexp {2}", text, prefix, sql.place(whole));
      }
      case ILIKE -> {
        var whole = new Bind.Pattern(pattern, codec, form -> Patterns.regex(form, true));
        yield DSL.condition("{0} regexp {1}", text, sql.place(whole));
      }
      case MATCHES, IMATCHES ->
          throw new EvitaException(
              ErrorCode.UNSUPPORTED_OPERATION,
              "H2 has no regular expressions that could be stopped; expected a pattern for like");
      default -> super.matches(sql, text, comparison, pattern, codec);
    };
  }

  @Override
  Condition matchesColumn(Field<Object> text, Comparison comparison, Field<Object> pattern) {
    return switch (comparison) {
      case LIKE, ILIKE -> super.matchesColumn(text, comparison, pattern);
      default ->
          throw new EvitaException(
              ErrorCode.UNSUPPORTED_OPERATION,
              "H2 has no regular expressions that could be stopped; expected a pattern for like");
    };
  }

  @Override
  Field<Object> aggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    // H2 answers a double for the average of an integer, but a numeric for that of a bigint.
    var exact = type == DataType.Scalar.INT16 || type == DataType.Scalar.INT32;
    var argument =
        function == Output.Function.AVG && exact
            ? column.cast(SQLDataType.BIGINT).coerce(Object.class)
            : column;
    return super.aggregate(function, distinct, argument, type);
  }

  @Override
  Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException {
    var name = columns.getColumnTypeName(index);
    return codec(resultType(name), name, columns.getColumnLabel(index));
  }

  /** The type that the metadata of a result calls so. */
  static DataType resultType(String name) {
    if (!name.endsWith(" ARRAY")) {
      return type(name);
    }
    var base = name.substring(0, name.length() - " ARRAY".length());
    return new DataType.Array(type(base.replaceAll("\\(.*?\\)", "")));
  }

  /** Parameters have no names that a call could give, and no defaults. */
  @Override
  SqlText call(Routine routine, Map<String, Parameter> arguments, List<String> columns) {
    var sql = new Sql(jooq());
    var binds = new ArrayList<Bind>();
    for (var parameter : routine.parameters()) {
      var value = Objects.requireNonNull(arguments.get(parameter.name()), "takes all");
      binds.add(argument(routine, parameter, value));
    }
    var called =
        "%s.%s(%s)"
            .formatted(
                sql.quoted(routine.schema()),
                sql.quoted(routine.name()),
                String.join(", ", Collections.nCopies(binds.size(), "?")));
    if (!routine.returnsMany()) {
      return new SqlText("select " + called, binds);
    }
    var selected = columns.isEmpty() ? "1" : String.join(", ", sql.quoted(columns));
    return new SqlText("select " + selected + " from " + called, binds);
  }

  @Override
  String returning(Write write, String statement, List<String> columns) {
    var table = write == Write.DELETE ? "old table" : "final table";
    return "select %s from %s (%s)".formatted(String.join(", ", columns), table, statement);
  }

  @Override
  Upsert upsert(
      String table, List<String> columns, int rows, List<String> keys, List<String> update) {
    var order = new ArrayList<Integer>();
    var on = keys.stream().map(key -> key + " = ?").collect(Collectors.joining(" and "));
    keys.forEach(key -> order.add(columns.indexOf(key)));
    var matched =
        update.isEmpty()
            ? ""
            : " when matched then update set "
                + update.stream().map(name -> name + " = ?").collect(Collectors.joining(", "));
    update.forEach(name -> order.add(columns.indexOf(name)));
    for (int i = 0; i < columns.size(); i++) {
      order.add(i);
    }
    var text =
        "merge into %s using dual on (%s)%s when not matched then insert (%s) values (%s)"
            .formatted(
                table,
                on,
                matched,
                String.join(", ", columns),
                String.join(", ", columns.stream().map(column -> "?").toList()));
    return new Upsert(text, order);
  }

  @Override
  int mostUpsertRows() {
    return 1;
  }

  @Override
  @Nullable ErrorCode code(SQLException failure) {
    return isStorageFault(failure) ? ErrorCode.STORAGE_FAILED : byNumber(failure);
  }

  /** The store has failed to read or write its file, or has closed itself because of that. */
  private static boolean isStorageFault(SQLException failure) {
    var store = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      store |= cause instanceof MVStoreException;
      if (cause instanceof MVStoreException known && STORAGE.contains(known.getErrorCode())) {
        return true;
      }
      if (store && cause instanceof IOException) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable ErrorCode byNumber(SQLException failure) {
    return switch (failure.getErrorCode()) {
      case 90131, 40001, 50200 -> ErrorCode.SERIALIZATION_FAILURE;
      case 57014 -> ErrorCode.CANCELLED;
      case 90097 -> ErrorCode.READ_ONLY;
      case EXCEPTION_IN_ALIAS -> ErrorCode.RAISED;
      case 90096 -> ErrorCode.PERMISSION_DENIED;
      case 50100 -> ErrorCode.UNSUPPORTED_OPERATION; // a view that cannot be written
      case 90045 -> ErrorCode.DATABASE_ERROR;
      case 50000 -> isCrowded(failure) ? ErrorCode.POOL_EXHAUSTED : standard(failure);
      // 90135: another connection has switched to SET EXCLUSIVE
      case 90007, 90067, 90098, 90121, 90020, 90135 -> ErrorCode.DATABASE_UNREACHABLE;
      case 22018, 22007, 22030, 22037, NO_RESULT -> ErrorCode.INVALID_DATA;
      case 23002, 23503, 23506 -> ErrorCode.FOREIGN_KEY_VIOLATION;
      case 23513, 23514 -> ErrorCode.CHECK_VIOLATION;
      case 22001 -> isDecimal(failure) ? ErrorCode.VALUE_OUT_OF_RANGE : ErrorCode.VALUE_TOO_LONG;
      case 90039 -> ErrorCode.VALUE_TOO_LONG;
      default -> standard(failure);
    };
  }

  /** The SQL of an alias fails as any other does, so only a missing alias tells of a change. */
  @Override
  ErrorCode unknownInCall(SQLException failure) {
    return failure.getErrorCode() == MISSING_ALIAS
        ? ErrorCode.CATALOG_CHANGED
        : ErrorCode.DATABASE_ERROR;
  }

  /** {@code MERGE} looks for the row first and adds it then, and others may come in between. */
  @Override
  boolean upsertLosesRaces() {
    return true;
  }

  /**
   * Without the code that H2 puts at the end, such as {@code [22001-252]}, and without the row that
   * was there before.
   */
  @Override
  String message(SQLException failure) {
    if (isCrowded(failure)) {
      return "H2 has as many transactions open as it can have at one time (255); try again";
    }
    var message = VENDOR_CODE.matcher(super.message(failure)).replaceFirst("");
    var raised = ALIAS_CALL.matcher(message);
    if (raised.find() && !raised.group(1).equals("null")) {
      return raised.group(1);
    }
    return EXISTING_ROW.matcher(message).replaceFirst("\"");
  }

  /** Each answer that waits for its client to read holds a transaction, and H2 has few of them. */
  private static boolean isCrowded(SQLException failure) {
    return failure.getCause() instanceof MVStoreException store
        && store.getErrorCode() == DataUtils.ERROR_TOO_MANY_OPEN_TRANSACTIONS;
  }

  /** H2 calls a number of too many digits too long, and names the column with its type. */
  private static boolean isDecimal(SQLException failure) {
    return DECIMAL_COLUMN.matcher(String.valueOf(failure.getMessage())).find();
  }

  /** H2 has codes from 90000 for names that are not there, with SQLStates of no class. */
  private static @Nullable ErrorCode standard(SQLException failure) {
    var message = String.valueOf(failure.getMessage());
    var code = failure.getErrorCode();
    if (code == 0 && failure.getSQLState() == null) {
      return ErrorCode.RAISED; // an alias threw it, as H2 has a code for all that it throws itself
    }
    if (code >= 90000 && message.toLowerCase(Locale.ROOT).contains("not found")) {
      return ErrorCode.INVALID_SCRIPT;
    }
    return null;
  }
}
