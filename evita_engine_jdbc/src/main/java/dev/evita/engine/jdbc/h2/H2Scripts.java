// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.Catalog;
import dev.evita.api.DataType;
import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.ScriptRules;
import dev.evita.engine.jdbc.value.Codec;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The syntax of scripts, their arguments and results, in H2. */
final class H2Scripts extends ScriptRules {

  /** The beginning of a comment by which a plan explains an access, and what is before it. */
  private static final Pattern ACCESS =
      Pattern.compile(
          "(?:\"?(?<schema>[^\"\\s.]+)\"?\\.\"?(?<table>[^\"\\s.]+)\"?(?:\\s+\"?[^\"\\s]+\"?)?\\s*)?"
              + "/\\*\\s*(?<how>[^*]*)");

  private static final Pattern QUERY =
      Pattern.compile("(SELECT|VALUES|direct lookup)\\b.*", Pattern.DOTALL);
  private static final Pattern INDEX = Pattern.compile("\\S+\\.\\S+: .*", Pattern.DOTALL);
  private static final Pattern EQUAL = Pattern.compile("(?:: |AND )(?<column>[^\\s=<>]+) = ");

  /** H2 never replaces these by an alias of the same name. */
  private static final Set<String> FUNCTIONS =
      words(
          """
          ABS ARRAY_AGG AVG BIT_LENGTH BTRIM CARDINALITY CEIL CEILING CHAR_LENGTH CHARACTER_LENGTH COALESCE CONCAT
          CONCAT_WS COUNT DATE_TRUNC DATEADD DATEDIFF DENSE_RANK EVERY EXTRACT FIRST_VALUE FLOOR FORMATDATETIME
          GREATEST GROUP_CONCAT IFNULL JSON_ARRAY JSON_ARRAYAGG JSON_OBJECT JSON_OBJECTAGG LAG LAST_VALUE
          LCASE LEAD LEAST LEFT LENGTH LISTAGG LOCATE LOWER LPAD LTRIM MAX MIN MOD NULLIF NVL OCTET_LENGTH
          PARSEDATETIME POSITION POWER RANK REGEXP_LIKE REGEXP_REPLACE REGEXP_SUBSTR REPLACE RIGHT ROUND
          ROW_NUMBER RPAD RTRIM SIGN SQRT STRING_AGG SUBSTR SUBSTRING SUM TO_CHAR TRANSLATE TRIM UCASE UPPER
          """);

  @Override
  public Set<String> harmlessFunctions() {
    return FUNCTIONS;
  }

  @Override
  public Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException {
    var name = columns.getColumnTypeName(index);
    return new H2Codec(H2TypeNames.resultType(name), name, columns.getColumnLabel(index));
  }

  /** An array of texts would become an array of JSON strings. */
  @Override
  public String inputRows(List<DataType.Scalar> types) {
    var values = new ArrayList<String>();
    var arrays = new ArrayList<String>();
    var names = new ArrayList<String>();
    for (var type : types) {
      var name = "c" + names.size();
      var json = type == DataType.Scalar.JSON;
      names.add(name);
      values.add(
          json ? "case when " + name + " is not null then " + name + " format json end" : name);
      arrays.add("cast(? as " + (json ? "varchar" : inputType(type)) + " array)");
    }
    return "select %s from unnest(%s) as r(%s)"
        .formatted(String.join(", ", values), String.join(", ", arrays), String.join(", ", names));
  }

  @Override
  protected String inputType(DataType.Scalar type) {
    return H2Operators.castType(type);
  }

  /**
   * H2 keeps the last result of a subquery and returns it again if the parameters in its own text
   * are the same; those of a common table expression are in another text. A result that is not
   * deterministic is not kept.
   */
  @Override
  public String inputCondition() {
    return " where session_id() >= 0";
  }

  @Override
  public boolean allowsWithBeforeWrites() {
    return false;
  }

  /**
   * In a plan, a comment after each table names the index and its conditions, as in {@code
   * "PUBLIC"."USERS" /* PUBLIC.INDEX_4: HANDLE = REQUEST.HANDLE}, or {@code tableScan}. That of a
   * subquery has its text, with such comments of its own.
   */
  @Override
  public boolean isBounded(String plan, Catalog catalog) {
    if (plan.startsWith("WITH RECURSIVE")) {
      return false;
    }
    var accesses = ACCESS.matcher(plan);
    while (accesses.find()) {
      var how = accesses.group("how");
      if (QUERY.matcher(how).matches()) {
        continue;
      }
      if (accesses.group("table") == null || !INDEX.matcher(how).matches()) {
        return false;
      }
      var equal = new ArrayList<String>();
      EQUAL.matcher(how).results().forEach(column -> equal.add(column.group("column")));
      var name = new TableName(accesses.group("schema"), accesses.group("table"));
      if (!catalog.table(name).map(table -> table.identifies(equal)).orElse(false)) {
        return false;
      }
    }
    return true;
  }
}
