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
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.api.TransactionOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteException;

/**
 * SQLite, embedded.
 *
 * <p>Many keys are one JSON text that {@code json_each} unfolds; the index on the column is used.
 * Transactions that may write begin {@code IMMEDIATE}: one that begins by reading and then wants to
 * write could only fail if another has written meanwhile. The driver's own transactions always
 * begin alike, so SQL begins and ends them here.
 */
final class SqliteDialect extends Dialect {

  /** Families of result codes, some thirty of input and output alone. */
  private static final Pattern STORAGE_FAULT = Pattern.compile("SQLITE_(IOERR|CORRUPT)");

  private static final String LONG_STATEMENT = "statement too long";

  @Override
  SQLDialect jooq() {
    return SQLDialect.SQLITE;
  }

  @Override
  Set<Capability> capabilities() {
    return Set.of(Capability.IN_PROCESS, Capability.READ_ONLY_TRANSACTIONS, Capability.JSON_PATHS);
  }

  /** SQLite counts the commits of all connections but the one that asks. */
  @Override
  @Nullable ChangeCounters counters(Connection connection, boolean kept) throws SQLException {
    return kept
        ? new DataVersion(
            connection.prepareStatement("pragma data_version"),
            connection.prepareStatement(
                "select 1 from sqlite_master where type = 'trigger' limit 1"))
        : null;
  }

  private record DataVersion(PreparedStatement pragma, PreparedStatement aTrigger)
      implements ChangeCounters {
    @Override
    public long total() throws SQLException {
      try (ResultSet row = pragma.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }

    @Override
    public boolean byTable() {
      return false;
    }

    @Override
    public boolean triggers() throws SQLException {
      try (ResultSet row = aTrigger.executeQuery()) {
        return row.next();
      }
    }

    @Override
    public boolean single(long before, long after) {
      return false; // how much a commit adds is not promised
    }

    @Override
    public long of(TableName table) {
      throw new UnsupportedOperationException("SQLite counts for the whole database");
    }
  }

  @Override
  CatalogReader catalog() {
    return new SqliteCatalog();
  }

  @Override
  String fingerprint(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery("pragma schema_version")) {
      row.next();
      return row.getString(1);
    }
  }

  /**
   * The type of a declaration, after SQLite's rules of affinity (section 3.1 of "Datatypes in
   * SQLite"), with names of its own for decimals, truth values and smaller integers. What SQLite
   * has no storage class for is text as stored.
   */
  static DataType type(String declaration) {
    var name = declaration.toUpperCase(Locale.ROOT).replaceAll("\\(.*", "").strip();
    return switch (name) {
      // Wide enough for what other databases keep in them unsigned.
      case "TINYINT", "SMALLINT", "INT2", "MEDIUMINT", "INT4" -> DataType.Scalar.INT32;
      case "" -> DataType.Scalar.TEXT;
      default -> byAffinity(name);
    };
  }

  private static DataType byAffinity(String name) {
    if (name.contains("INT") && !name.contains("INTERVAL") && !name.contains("POINT")) {
      return DataType.Scalar.INT64;
    }
    if (name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT")) {
      return DataType.Scalar.TEXT;
    }
    if (name.contains("BLOB") || name.contains("BINARY")) {
      return DataType.Scalar.BINARY;
    }
    if (name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB")) {
      return DataType.Scalar.FLOAT64;
    }
    if (name.startsWith("BOOL")) {
      return DataType.Scalar.BOOLEAN;
    }
    var decimal = name.startsWith("DEC") || name.startsWith("NUM") || name.contains("MONEY");
    return decimal ? DataType.Scalar.DECIMAL : DataType.Scalar.TEXT;
  }

  @Override
  Codec codec(DataType type, String nativeType, String where) {
    // An aggregate has no declaration either, but its type is known.
    var typeless = nativeType.isBlank() && type == DataType.Scalar.TEXT;
    return new SqliteCodec(type, where, typeless);
  }

  @Override
  Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException {
    var type = type(String.valueOf(columns.getColumnTypeName(index)));
    return codec(type, "", columns.getColumnLabel(index));
  }

  @Override
  Condition in(Field<Object> column, Codec codec, Field<Object> many) {
    var value = codec.type() == DataType.Scalar.BINARY ? "unhex(value)" : "value";
    var left = compared(column, codec);
    return DSL.condition("{0} in (select " + value + " from json_each({1}))", left, many);
  }

  /** JSON that a request brings is made compact, as what is read at a path is. */
  @Override
  Field<Object> placed(Field<Object> placeholder, Codec codec) {
    return codec.type() == DataType.Scalar.JSON
        ? DSL.field("json({0})", Object.class, placeholder)
        : placeholder;
  }

  /** A column without a declared type has no affinity: it is compared as the text that it shows. */
  @Override
  Field<Object> compared(Field<Object> column, Codec codec) {
    return codec instanceof SqliteCodec sqlite && sqlite.typeless()
        ? DSL.field("cast({0} as text)", Object.class, column)
        : column;
  }

  /** What is declared as JSON or as plain text may hold it. */
  @Override
  Field<Object> path(Field<Object> field, Column column, Output.Path path) {
    var declared = column.nativeType().toUpperCase(Locale.ROOT);
    if (!declared.equals("JSON") && !declared.equals("TEXT")) {
      throw unsupported(
          "path into '" + column.name() + "', which is declared neither as JSON nor as TEXT");
    }
    var place = DSL.inline(SqliteCast.path(path));
    return path.text()
        ? DSL.field(
            "(case json_type({0}, {1}) when 'null' then null when 'text' then {0} ->> {1}"
                + " else {0} -> {1} end)",
            Object.class, field, place)
        : DSL.field("({0} -> {1})", Object.class, field, place);
  }

  /** A cast of SQLite's makes something of everything, so that {@link SqliteCast} does it. */
  @Override
  Field<Object> cast(Field<Object> value, DataType from, DataType.Scalar to) {
    return to == DataType.Scalar.JSON ? DSL.field("json({0})", Object.class, value) : value;
  }

  @Override
  String castType(DataType.Scalar type) {
    throw new IllegalArgumentException("no cast to " + type);
  }

  @Override
  Codec castCodec(DataType from, DataType.Scalar to, String where) {
    return new SqliteCast(to, where);
  }

  @Override
  boolean joinsTuples() {
    return false;
  }

  /** The catalog does not tell by which collation a column compares. */
  @Override
  boolean exactText(String nativeType) {
    return false;
  }

  @Override
  boolean keepsTypes() {
    return false;
  }

  /**
   * Each part is cast to the affinity of the parent's column, so that it compares as that column
   * would: whether 1 is '1' depends on both sides.
   */
  @Override
  org.jooq.Table<?> tuples(Sql sql, LevelKey key) {
    var parts = new ArrayList<String>();
    for (int i = 0; i < key.codecs().size(); i++) {
      var value = extracted(i, key.codecs().get(i));
      var affinity = affinity(key.natives().get(i), key.codecs().get(i).type());
      var cast = affinity.isEmpty() ? value : "cast(%s as %s)".formatted(value, affinity);
      parts.add(cast + " as \"k" + i + "\"");
    }
    var values =
        DSL.table(
            "(select \"key\" + 1 as \"n\", %s from json_each({0})) as \"k\""
                .formatted(String.join(", ", parts)),
            sql.place(new Bind.KeyTuples(key.codecs())));
    return key.natives().stream().anyMatch(SqliteDialect::isText) ? collated(values, key) : values;
  }

  private static boolean isText(String declaration) {
    return affinity(declaration, DataType.Scalar.TEXT).equals("text");
  }

  /**
   * The keys as their own columns, where they are those that are referred to: a value has no
   * collation, and the catalog does not tell that of a column.
   */
  private static org.jooq.Table<?> collated(org.jooq.Table<?> values, LevelKey key) {
    var join = Objects.requireNonNull(key.join());
    if (!join.toRefers()) {
      return values;
    }
    var columns = new ArrayList<Field<?>>();
    columns.add(Sql.column("k", "n"));
    var same = DSL.noCondition();
    for (int i = 0; i < key.columns().size(); i++) {
      var column = Sql.column("p", join.relationship().fromColumns().get(i));
      columns.add(column.as(DSL.quotedName("k" + i)));
      same = same.and(column.eq(Sql.column("k", "k" + i)));
    }
    var parents = Sql.table(join.from().name()).as(DSL.quotedName("p"));
    return DSL.select(columns).from(values).join(parents).on(same).asTable(DSL.quotedName("k"));
  }

  /**
   * The affinity of a column of this declaration, by the rules of "Datatypes In SQLite", section
   * 3.1; empty for none, and for texts in numeric columns, which a cast would cut to a number.
   */
  private static String affinity(String declaration, DataType type) {
    var name = declaration.toUpperCase(Locale.ROOT);
    if (name.contains("INT")) {
      return "integer";
    }
    if (name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT")) {
      return "text";
    }
    if (name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB")) {
      return "real";
    }
    return Compiler.isNumber(type) ? "numeric" : "";
  }

  @Override
  Condition inTuples(Sql sql, List<Field<Object>> columns, List<Codec> codecs) {
    var parts = new ArrayList<Field<?>>(columns);
    parts.add(sql.place(new Bind.KeyTuples(codecs)));
    var left =
        IntStream.range(0, columns.size())
            .mapToObj(part -> "{" + part + "}")
            .collect(Collectors.joining(", "));
    var right =
        IntStream.range(0, columns.size())
            .mapToObj(part -> extracted(part, codecs.get(part)))
            .collect(Collectors.joining(", "));
    var text = "(%s) in (select %s from json_each({%d}))".formatted(left, right, columns.size());
    return DSL.condition(text, parts.toArray(Field<?>[]::new));
  }

  private static String extracted(int part, Codec codec) {
    var value = "json_extract(value, '$[" + part + "]')";
    return codec.type() == DataType.Scalar.BINARY ? "unhex(" + value + ")" : value;
  }

  /**
   * SQLite has no small integers, and makes a sum that is too large a float, which the column takes
   * all the same. Of its functions, {@code abs} is one that fails, with "integer overflow".
   */
  @Override
  String sum(String sum, DataType type) {
    var range =
        switch (type) {
          case DataType.Scalar.INT16 -> "-32768 and 32767";
          case DataType.Scalar.INT32 -> "-2147483648 and 2147483647";
          case DataType.Scalar.INT64 -> "-9223372036854775808 and 9223372036854775807";
          default -> null;
        };
    return range == null
        ? sum
        : "(select case when s is null then null when typeof(s) = 'integer' and s between "
            + range
            + " then s else abs(-9223372036854775808) end from (select "
            + sum
            + " as s))";
  }

  @Override
  String pattern(Comparison comparison, String pattern) {
    return comparison == Comparison.LIKE
        ? Patterns.glob(pattern)
        : super.pattern(comparison, pattern);
  }

  @Override
  Condition matches(Field<Object> text, Comparison comparison, Field<Object> pattern) {
    return switch (comparison) {
      case LIKE -> DSL.condition("{0} glob {1}", text, pattern);
      case ILIKE -> DSL.condition("{0} like {1} escape '\\'", text, pattern);
      case MATCHES, IMATCHES -> throw unsupported("regular expressions");
      default -> super.matches(text, comparison, pattern);
    };
  }

  @Override
  Condition matchesColumn(Field<Object> text, Comparison comparison, Field<Object> pattern) {
    if (comparison == Comparison.LIKE) {
      throw unsupported("patterns from a column where case counts");
    }
    return matches(text, comparison, pattern);
  }

  @Override
  String textType() {
    return "text";
  }

  /**
   * SQLite fails where a sum of integers leaves 64 bits; so the upper and the lower halves are
   * summed, which {@link SqliteCodec} puts together.
   */
  @Override
  Field<Object> aggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    if (function != Output.Function.SUM && function != Output.Function.AVG) {
      return super.aggregate(function, distinct, column, type);
    }
    var whole = function == Output.Function.SUM && type == DataType.Scalar.INT64 && !distinct;
    var value =
        whole
            ? DSL.field("sum({0} >> 32) || ':' || sum({0} & 4294967295)", Object.class, column)
            : super.aggregate(function, distinct, column, type);
    return DSL.field("coalesce({0}, {1})", Object.class, stray(column, type), decimal(value, type));
  }

  /**
   * A text that is no number where a column holds what its type cannot say: sums would count it as
   * zero, or lose its fraction.
   */
  private static Field<Object> stray(Field<Object> column, DataType type) {
    var integer =
        type == DataType.Scalar.INT16
            || type == DataType.Scalar.INT32
            || type == DataType.Scalar.INT64;
    var proper = integer ? "('integer', 'null')" : "('integer', 'real', 'null')";
    return DSL.field(
        "'the value ' || min(case when typeof({0}) not in " + proper + " then {0} end)",
        Object.class,
        column);
  }

  /** Decimals are added up as binary fractions; of their digits SQLite itself trusts 15. */
  private static Field<Object> decimal(Field<Object> value, DataType type) {
    return type == DataType.Scalar.DECIMAL
        ? DSL.field(
            "case typeof({0}) when 'real' then printf('%.15g', {0}) else {0} end",
            Object.class, value)
        : value;
  }

  /** Halves that are put together as text have no order; so this sum is one of 64 bits. */
  @Override
  Field<Object> comparedAggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    return super.aggregate(function, distinct, column, type);
  }

  @Override
  Field<Object> combination(List<Field<Object>> columns) {
    var text =
        IntStream.range(0, columns.size())
            .mapToObj(part -> "quote({" + part + "})")
            .collect(Collectors.joining(" || ',' || "));
    return DSL.field(text, Object.class, columns.toArray(Field<?>[]::new));
  }

  /** SQLite knows the word in no update. */
  @Override
  String defaultValue(Table table, Column column) {
    var expression = column.defaultExpression();
    return expression == null ? "null" : "(" + expression + ")";
  }

  @Override
  String returning(Write write, String statement, List<String> columns) {
    return statement + " returning " + String.join(", ", columns);
  }

  /** An interrupt is the connection's: it lasts for as long as any of its statements is open. */
  @Override
  boolean cancelSpoils() {
    return true;
  }

  @Override
  boolean dollarQuotes() {
    return false;
  }

  @Override
  boolean triggerBodies() {
    return true;
  }

  @Override
  void bindAny(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
    SqliteCodec.bindValue(statement, index, value, "a parameter");
  }

  @Override
  void requireIsolation(TransactionOptions.Isolation isolation) {
    if (isolation == TransactionOptions.Isolation.READ_COMMITTED) {
      throw unsupported("isolation level READ_COMMITTED; its transactions are serializable");
    }
  }

  /** A transaction that has failed to reach the disk was rolled back, so reading is safe. */
  @Override
  Health afterStorageFault(EvitaException fault) {
    return new Health.ReadOnly(fault);
  }

  @Override
  void begin(Connection connection, TransactionOptions options) throws SQLException {
    if (options.readOnly()) {
      execute(connection, "pragma query_only = 1");
      execute(connection, "begin");
    } else {
      execute(connection, "begin immediate");
    }
  }

  @Override
  void commit(Connection connection) throws SQLException {
    execute(connection, "commit");
  }

  @Override
  void rollback(Connection connection) throws SQLException {
    try {
      execute(connection, "rollback");
    } catch (SQLException e) {
      // Some failures have rolled back already; then there is no transaction any more.
      if (!String.valueOf(e.getMessage()).contains("no transaction is active")) {
        throw e;
      }
    }
  }

  @Override
  void afterTransaction(Connection connection, TransactionOptions options, int isolation)
      throws SQLException {
    if (options.readOnly()) {
      execute(connection, "pragma query_only = 0");
    }
  }

  @Override
  ErrorCode unknownInCall(SQLException failure) {
    return unknownName(failure);
  }

  @Override
  @Nullable ErrorCode code(SQLException failure) {
    if (!(failure instanceof SQLiteException sqlite)) {
      return null;
    }
    return switch (sqlite.getResultCode()) {
      case SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_ROWID ->
          ErrorCode.UNIQUE_VIOLATION;
      case SQLITE_CONSTRAINT_FOREIGNKEY -> ErrorCode.FOREIGN_KEY_VIOLATION;
      case SQLITE_CONSTRAINT_NOTNULL -> ErrorCode.NOT_NULL_VIOLATION;
      case SQLITE_CONSTRAINT_CHECK, SQLITE_CONSTRAINT_TRIGGER, SQLITE_CONSTRAINT ->
          ErrorCode.CHECK_VIOLATION;
      case SQLITE_CONSTRAINT_DATATYPE, SQLITE_MISMATCH -> ErrorCode.INVALID_DATA;
      case SQLITE_BUSY, SQLITE_BUSY_SNAPSHOT, SQLITE_BUSY_RECOVERY, SQLITE_BUSY_TIMEOUT ->
          ErrorCode.SERIALIZATION_FAILURE;
      case SQLITE_LOCKED, SQLITE_LOCKED_SHAREDCACHE -> ErrorCode.SERIALIZATION_FAILURE;
      case SQLITE_INTERRUPT -> ErrorCode.CANCELLED;
      case SQLITE_READONLY -> ErrorCode.READ_ONLY;
      case SQLITE_TOOBIG ->
          String.valueOf(sqlite.getMessage()).contains(LONG_STATEMENT)
              ? ErrorCode.INVALID_OPERATION
              : ErrorCode.VALUE_TOO_LONG;
      case SQLITE_CANTOPEN, SQLITE_AUTH -> ErrorCode.DATABASE_UNREACHABLE;
      case SQLITE_FULL, SQLITE_NOTADB, SQLITE_READONLY_DBMOVED -> ErrorCode.STORAGE_FAILED;
      case SQLITE_ERROR -> error(String.valueOf(sqlite.getMessage()));
      default ->
          STORAGE_FAULT.matcher(sqlite.getResultCode().name()).lookingAt()
              ? ErrorCode.STORAGE_FAILED
              : ErrorCode.DATABASE_ERROR;
    };
  }

  /** SQLite has one code for what is wrong in a statement and for some of what is wrong in data. */
  private static ErrorCode error(String message) {
    if (message.contains("overflow")) {
      return ErrorCode.VALUE_OUT_OF_RANGE;
    }
    if (message.contains("too large") || message.contains("too many")) {
      return ErrorCode.INVALID_OPERATION; // more terms than SQLite's limits allow
    }
    if (message.contains("because it is a view")) {
      return ErrorCode.UNSUPPORTED_OPERATION;
    }
    return message.contains("malformed JSON") ? ErrorCode.INVALID_DATA : ErrorCode.INVALID_SCRIPT;
  }

  /** The driver puts its own words around those of SQLite. */
  @Override
  String message(SQLException failure) {
    var driverMessage = super.message(failure);
    if (driverMessage.contains(LONG_STATEMENT)) {
      return "The statement has more than the 1 000 000 characters that SQLite takes; use fewer"
          + " conditions, or one with a list of values";
    }
    var open = driverMessage.indexOf(" (");
    return open > 0 && driverMessage.startsWith("[") && driverMessage.endsWith(")")
        ? driverMessage.substring(open + 2, driverMessage.length() - 1)
        : driverMessage;
  }
}
