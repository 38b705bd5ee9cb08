// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Table;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A first query for users, which works on the served database. */
final class SampleQuery {

  private static final Pattern GRAPHQL_NAME = Pattern.compile("(?!__)[_A-Za-z][_0-9A-Za-z]*");
  private static final int COLUMNS = 3;

  private SampleQuery() {}

  /** Selects some columns of the first table, or {@code __typename} if there is none. */
  static String of(Catalog catalog) {
    return catalog.tables().stream()
        .filter(table -> isName(catalog.apiName(table.name())))
        .filter(table -> !columns(catalog, table).isEmpty())
        .findFirst()
        .map(table ->
            "{ "
                + catalog.apiName(table.name())
                + "(limit: 3) { "
                + columns(catalog, table)
                + " } }")
        .orElse("{ __typename }");
  }

  private static String columns(Catalog catalog, Table table) {
    return table.columns().stream()
        .filter(column -> column.type() instanceof DataType.Scalar)
        .map(Column::name)
        .map(name -> catalog.apiName(table.name(), name))
        .filter(SampleQuery::isName)
        .limit(COLUMNS)
        .collect(Collectors.joining(" "));
  }

  private static boolean isName(String name) {
    return GRAPHQL_NAME.matcher(name).matches();
  }
}
