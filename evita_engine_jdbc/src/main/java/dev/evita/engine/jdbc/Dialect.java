// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Capability;
import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Health;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.api.TransactionOptions;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases beyond what jOOQ renders: the catalog, types, how many keys are
 * handed over as one parameter, how written rows come back, sessions and error codes.
 */
abstract sealed class Dialect permits H2Dialect, PostgresDialect, SqliteDialect {

  abstract SQLDialect jooq();

  /**
   * What tells of changes, whoever makes them; null where nothing does.
   *
   * @param connection one of the database's
   * @param kept whether it stays open, for this alone, as long as the counters are asked
   */
  @Nullable ChangeCounters counters(Connection connection, boolean kept) throws SQLException {
    return null;
  }

  /**
   * What the engine can do, given whether it works in this process; {@link Capability#WATCH} is
   * there where there are {@link #counters}.
   */
  abstract Set<Capability> capabilities();

  /** Reads the whole catalog. */
  abstract CatalogReader catalog();

  /** Something cheap that changes with the schema; null where the catalog must be read to know. */
  @Nullable String fingerprint(Connection connection) throws SQLException {
    return null;
  }

  /**
   * How many steps changes of the schema have taken, where readers of the catalog see them one by
   * one; negative while a step is under way.
   */
  long schemaSteps(Connection connection) throws SQLException {
    return 0;
  }

  /** What keeps an operation on these tables from meeting the middle of a change of the schema. */
  SchemaGuard guard(Collection<TableName> tables) {
    return SchemaGuard.NONE;
  }

  /** How values of a column cross JDBC. */
  abstract Codec codec(DataType type, String nativeType, String where);

  /** Sets a new connection up. */
  void session(Connection connection) throws SQLException {}

  /** Whether the column's values are among the values of one placeholder. */
  abstract Condition in(Field<Object> column, Codec codec, Field<Object> many);

  /**
   * A relation named {@code k} of keys {@code k0, k1, ...} and, where they are numbered, their
   * numbers {@code n} from 1, that the level's table is joined with.
   *
   * @param sql makes the placeholders
   */
  org.jooq.Table<?> tuples(Sql sql, LevelKey key) {
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
   * Whether the database holds two keys equal where their values here are, and nowhere else.
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

  /** Columns may each have a type of their own, which the engine names after them. */
  private static boolean sameLabels(DataType one, DataType other) {
    return one instanceof DataType.Enumeration(var ours, var labels)
        && other instanceof DataType.Enumeration(var theirs, var others)
        && labels.equals(others);
  }

  private static boolean number(Column column) {
    return Compiler.isNumber(column.type());
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
   * Whether a row refers to the row of a key, as a foreign key has it: by the type and collation of
   * the key.
   *
   * @param reference the column that refers, or a value of it
   * @param key the column that is referred to, or a value of it
   */
  Condition refers(
      Field<Object> reference, Column referring, Field<Object> key, Column referredTo) {
    return key.eq(reference);
  }

  /** Whether texts of this type are equal only where all of their characters are. */
  abstract boolean exactText(String nativeType);

  /** Whether the values of a column are of its type. */
  boolean keepsTypes() {
    return true;
  }

  /** The type of a list of keys of this native type. */
  String arrayOf(String nativeType) {
    throw new UnsupportedOperationException(jooq() + " compares the keys");
  }

  /** Whether keys with several parts come as a relation to join, else by {@link #inTuples}. */
  abstract boolean joinsTuples();

  /** Whether the columns together are among the keys. */
  Condition inTuples(Sql sql, List<Field<Object>> columns, List<Codec> codecs) {
    throw new UnsupportedOperationException(jooq() + " joins the keys");
  }

  /** The placeholder of a value of the codec's type, cast where the database needs it. */
  Field<Object> placed(Field<Object> placeholder, Codec codec) {
    return placeholder;
  }

  /** What stands for a column where it is compared, ordered or told apart. */
  Field<Object> compared(Field<Object> column, Codec codec) {
    return column;
  }

  /**
   * Refuses a column by whose values rows cannot be grouped.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION}
   */
  void requireGroups(Codec codec) {}

  /** What is selected for a column, so that its codec can read it. */
  Field<Object> selected(Field<Object> column, Codec codec) {
    return column;
  }

  final Condition compare(
      Sql sql, Field<Object> left, Codec codec, Comparison comparison, Bind.Value right) {
    return switch (comparison.kind()) {
      case VALUE -> compare(compared(left, codec), comparison, placed(sql.place(right), codec));
      case PATTERN -> {
        var text = codec(DataType.Scalar.TEXT, "", codec.where());
        yield matches(sql, asText(left, codec), comparison, right.parameter(), text);
      }
      case SET -> contains(sql, left, codec, comparison, right);
    };
  }

  /**
   * What one value has of another.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} unless overridden
   */
  Condition contains(
      Sql sql, Field<Object> left, Codec codec, Comparison comparison, Bind.Value right) {
    throw unsupported(comparison + " of " + codec.where());
  }

  /**
   * A full text search.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} unless overridden
   */
  Condition matches(Sql sql, Field<Object> column, Codec codec, Filter.FullText search) {
    throw unsupported("full text search");
  }

  /**
   * A value inside of JSON.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} where the column cannot hold JSON, or the
   *     database cannot go this way
   */
  abstract Field<Object> path(Field<Object> field, Column column, Output.Path path);

  /** A value as one of another type, between types that can be cast. */
  Field<Object> cast(Field<Object> value, DataType from, DataType.Scalar to) {
    if (SingleSql.integer(from) && to == DataType.Scalar.BOOLEAN) {
      return DSL.field("({0} <> 0)", Object.class, value);
    }
    var bridge = from == DataType.Scalar.BOOLEAN ? castType(DataType.Scalar.INT32) : null;
    var whole = bridge == null || from == to ? "{0}" : "cast({0} as " + bridge + ")";
    return DSL.field("cast(" + whole + " as " + castType(to) + ")", Object.class, value);
  }

  /** The name of a type that values are cast to. */
  abstract String castType(DataType.Scalar type);

  /** How the values of a cast cross JDBC: where they fail, the request is at fault. */
  abstract Codec castCodec(DataType from, DataType.Scalar to, String where);

  final EvitaException unsupported(String what) {
    return new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION, jooq().getName() + " has no " + what);
  }

  /**
   * A text against a pattern or regular expression.
   *
   * @param codec of texts
   */
  Condition matches(
      Sql sql, Field<Object> text, Comparison comparison, Parameter pattern, Codec codec) {
    var bind = new Bind.Pattern(pattern, codec, form -> pattern(comparison, form));
    return matches(text, comparison, sql.place(bind));
  }

  /** The pattern as the operator wants it. */
  String pattern(Comparison comparison, String pattern) {
    return comparison == Comparison.LIKE || comparison == Comparison.ILIKE
        ? Patterns.like(pattern)
        : pattern;
  }

  final Condition compareColumns(
      Field<Object> left, Codec codec, Comparison comparison, Field<Object> right, Codec other) {
    return switch (comparison.kind()) {
      case VALUE -> compare(compared(left, codec), comparison, compared(right, other));
      case PATTERN -> matchesColumn(asText(left, codec), comparison, asText(right, other));
      case SET -> throw unsupported(comparison + " of two columns; expected a value");
    };
  }

  private static Condition compare(Field<Object> left, Comparison comparison, Field<Object> right) {
    return switch (comparison) {
      case EQUAL -> left.eq(right);
      case NOT_EQUAL -> left.ne(right);
      case LESS -> left.lt(right);
      case LESS_OR_EQUAL -> left.le(right);
      case GREATER -> left.gt(right);
      case GREATER_OR_EQUAL -> left.ge(right);
      case NOT_DISTINCT -> left.isNotDistinctFrom(right);
      default -> throw new IllegalArgumentException(comparison + " compares no single values");
    };
  }

  private Field<Object> asText(Field<Object> field, Codec codec) {
    return codec.type() == DataType.Scalar.TEXT
        ? field
        : DSL.field("cast({0} as " + textType() + ")", Object.class, field);
  }

  String textType() {
    return "varchar";
  }

  /** A pattern or regular expression. */
  Condition matches(Field<Object> text, Comparison comparison, Field<Object> pattern) {
    return switch (comparison) {
      case LIKE -> DSL.condition("{0} like {1} escape '\\'", text, pattern);
      case ILIKE -> DSL.condition("{0} ilike {1} escape '\\'", text, pattern);
      case MATCHES -> DSL.condition("{0} ~ {1}", text, pattern);
      case IMATCHES -> DSL.condition("{0} ~* {1}", text, pattern);
      default -> throw new IllegalArgumentException(comparison + " is no pattern");
    };
  }

  /** The same where the pattern stands in a column. */
  Condition matchesColumn(Field<Object> text, Comparison comparison, Field<Object> pattern) {
    return matches(text, comparison, pattern);
  }

  /** The type that an aggregate answers. */
  final DataType aggregateType(Output.Function function, @Nullable DataType column) {
    return switch (function) {
      case COUNT -> DataType.Scalar.INT64;
      case SUM -> sumType(column);
      case AVG ->
          column == DataType.Scalar.FLOAT32 || column == DataType.Scalar.FLOAT64
              ? DataType.Scalar.FLOAT64
              : DataType.Scalar.DECIMAL;
      case MIN, MAX -> column == null ? DataType.Scalar.INT64 : column;
    };
  }

  private static DataType sumType(@Nullable DataType column) {
    if (column == DataType.Scalar.INT16 || column == DataType.Scalar.INT32) {
      return DataType.Scalar.INT64;
    }
    return column == DataType.Scalar.FLOAT32 || column == DataType.Scalar.FLOAT64
        ? DataType.Scalar.FLOAT64
        : DataType.Scalar.DECIMAL;
  }

  /** The expression of an aggregate over one column. */
  Field<Object> aggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    var argument = distinct ? "(distinct {0})" : "({0})";
    return switch (function) {
      case COUNT -> DSL.field("count" + argument, Object.class, column);
      case SUM -> DSL.field("sum" + argument, Object.class, column);
      case AVG -> DSL.field("avg" + argument, Object.class, column);
      case MIN -> DSL.field("min({0})", Object.class, column);
      case MAX -> DSL.field("max({0})", Object.class, column);
    };
  }

  /** The same as a value to compare with and to order by. */
  Field<Object> comparedAggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    return aggregate(function, distinct, column, type);
  }

  /** How many rows, or distinct combinations, have no null in these columns. */
  Field<Object> countOfCombinations(List<Field<Object>> columns, boolean distinct) {
    var complete =
        columns.stream().map(Field::isNotNull).reduce(Condition::and).orElse(DSL.trueCondition());
    var combination = distinct ? combination(columns) : DSL.field("1", Object.class);
    return DSL.field(
        "count(" + (distinct ? "distinct " : "") + "case when {0} then {1} end)",
        Object.class,
        complete,
        combination);
  }

  /** One value that is equal where all the columns are. */
  Field<Object> combination(List<Field<Object>> columns) {
    var places = columns.stream().map(field -> "{" + columns.indexOf(field) + "}");
    return DSL.field(
        places.collect(Collectors.joining(", ", "row (", ")")),
        Object.class,
        columns.toArray(Field<?>[]::new));
  }

  /** The text of a statement that writes and answers the rows. */
  abstract String returning(Write write, String statement, List<String> columns);

  /**
   * The text of a call.
   *
   * @param arguments by the names of their parameters; those that are absent have defaults
   * @param columns which columns of the result to select; a procedure answers all of its own
   */
  SqlText call(Routine routine, Map<String, Parameter> arguments, List<String> columns) {
    throw new UnsupportedOperationException(jooq() + " has no routines");
  }

  /** What the place of a routine's parameter is bound to. */
  final Bind argument(Routine routine, Column parameter, Parameter value) {
    var where = routine.name() + "." + parameter.name();
    return new Bind.Value(value, codec(parameter.type(), parameter.nativeType(), where));
  }

  /** What a statement does to rows. */
  enum Write {
    INSERT,
    UPDATE,
    DELETE
  }

  /** Most placeholders of a statement. */
  int mostParameters() {
    return 30_000;
  }

  /**
   * The text of an upsert.
   *
   * @param order for each placeholder of one row the position of its column
   */
  record Upsert(String sql, List<Integer> order) {
    Upsert {
      order = List.copyOf(order);
    }
  }

  /**
   * An insert that changes or leaves the row whose key is there.
   *
   * @param columns quoted names
   * @param rows how many rows, at most {@link #mostUpsertRows}
   * @param update those of the columns that are set; empty to leave the row
   */
  Upsert upsert(
      String table, List<String> columns, int rows, List<String> keys, List<String> update) {
    var assignments =
        update.stream()
            .map(column -> column + " = excluded." + column)
            .collect(Collectors.joining(", "));
    var row = columns.stream().map(column -> "?").collect(Collectors.joining(", ", "(", ")"));
    var text =
        "insert into %s (%s) values %s on conflict (%s) do %s"
            .formatted(
                table,
                String.join(", ", columns),
                String.join(", ", Collections.nCopies(rows, row)),
                String.join(", ", keys),
                update.isEmpty() ? "nothing" : "update set " + assignments);
    return new Upsert(text, IntStream.range(0, columns.size()).boxed().toList());
  }

  /** Most rows of one upsert. */
  int mostUpsertRows() {
    return Integer.MAX_VALUE;
  }

  /** Whether statements wait for a socket, rather than for this process. */
  boolean behindSocket() {
    return false;
  }

  /**
   * Refuses an isolation level that the database lacks.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION}
   */
  void requireIsolation(TransactionOptions.Isolation isolation) {}

  /**
   * What the engine can still do after its storage has failed.
   *
   * @param fault {@code STORAGE_FAILED}
   */
  Health afterStorageFault(EvitaException fault) {
    return Health.UP; // a database server sees to its own storage
  }

  /**
   * Whether the database in this process has closed itself, so that its driver must not be asked.
   */
  boolean isLost(Connection connection) {
    return false;
  }

  /** Starts a transaction on a connection in autocommit. */
  void begin(Connection connection, TransactionOptions options) throws SQLException {
    var isolation =
        switch (options.isolation()) {
          case DEFAULT -> 0;
          case READ_COMMITTED -> Connection.TRANSACTION_READ_COMMITTED;
          case REPEATABLE_READ -> Connection.TRANSACTION_REPEATABLE_READ;
          case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
        };
    if (isolation != 0) {
      connection.setTransactionIsolation(isolation);
    }
    connection.setAutoCommit(false);
  }

  /** Commits and goes back to autocommit. */
  void commit(Connection connection) throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  /**
   * Whether a read-only transaction refuses what a routine writes, and not just what Evita does.
   */
  boolean refusesWrites() {
    return false;
  }

  /** Checks what is deferred to the commit, where the database can do so without it. */
  void checkDeferred(Connection connection) throws SQLException {}

  /** Rolls back and goes back to autocommit. */
  void rollback(Connection connection) throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  /** Undoes what {@link #begin} set on the connection. */
  void afterTransaction(Connection connection, TransactionOptions options, int isolation)
      throws SQLException {
    if (options.isolation() != TransactionOptions.Isolation.DEFAULT) {
      connection.setTransactionIsolation(isolation);
    }
  }

  /** Whether a script may have dollar quotes. */
  boolean dollarQuotes() {
    return true;
  }

  /** Whether a script may have triggers with bodies between BEGIN and END. */
  boolean triggerBodies() {
    return false;
  }

  /** Whether {@code ??} stands for a question mark that is no placeholder. */
  boolean doubledQuestionMark() {
    return false;
  }

  /** Binds an argument of a script, whose place says no type. */
  void bindAny(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
    switch (value) {
      case null -> statement.setNull(index, Types.NULL);
      case BigInteger number -> statement.setBigDecimal(index, new BigDecimal(number));
      case List<?> list -> statement.setObject(index, list.toArray());
      default -> statement.setObject(index, value);
    }
  }

  /** How the values of a result column of a script are read. */
  abstract Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException;

  /** Whether cancelling a statement goes over the network. */
  boolean cancelBlocks() {
    return false;
  }

  /** Cancels what the statement executes; may come too early, and then comes again. */
  void cancel(PreparedStatement statement) throws SQLException {
    statement.cancel();
  }

  /** Whether a connection on which a statement was cancelled is not to be used again. */
  boolean cancelSpoils() {
    return false;
  }

  /** Rows fetched at once when a result may be large; 0 for the driver's own way. */
  int fetchSize() {
    return 0;
  }

  /** Whether a cursor needs a transaction to stream. */
  boolean streamsInTransactionOnly() {
    return false;
  }

  /** What a column is set to for its default. */
  String defaultValue(Table table, Column column) {
    return "default";
  }

  /**
   * A sum that fails where the column's type cannot hold it.
   *
   * @param sum an expression with one parameter
   */
  String sum(String sum, DataType type) {
    return sum;
  }

  /** Whether an upsert can meet a row that came after it had looked for one. */
  boolean upsertLosesRaces() {
    return false;
  }

  /** The code of a vendor's failure; null to go by its SQLState. */
  abstract @Nullable ErrorCode code(SQLException failure);

  /** The code of a name that is not there in a statement whose names are from the catalog. */
  ErrorCode unknownName(SQLException failure) {
    return ErrorCode.CATALOG_CHANGED;
  }

  /** The code of a name that is not there, where a routine was called. */
  abstract ErrorCode unknownInCall(SQLException failure);

  /** The database's own words in a driver's failure. */
  String message(SQLException failure) {
    return String.valueOf(failure.getMessage());
  }

  /** The case in point, where the database tells it apart and anybody may know it. */
  @Nullable String details(SQLException failure) {
    return null;
  }

  /** The remedy that the database proposes. */
  @Nullable String hint(SQLException failure) {
    return null;
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
