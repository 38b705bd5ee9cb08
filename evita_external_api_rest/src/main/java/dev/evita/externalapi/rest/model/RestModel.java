// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import dev.evita.api.Catalog;
import dev.evita.api.ErrorCode;
import dev.evita.api.Schema;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.error.HttpErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables and routines of a catalog by schema and name, as URLs and profile headers name them.
 * Immutable.
 */
public final class RestModel {

  /** The default schema of clients. */
  private static final String OF_CLIENTS = "public";

  private final Catalog catalog;
  private final Map<String, Map<String, RestTable>> schemas = new LinkedHashMap<>();
  private final Map<TableName, RestTable> tables = new HashMap<>();
  private final Map<String, RestTable> byDefault = new LinkedHashMap<>();
  private final Map<String, Map<String, List<RestRoutine>>> routines = new HashMap<>();
  private final Map<String, List<RestRoutine>> routinesByDefault = new LinkedHashMap<>();

  public RestModel(Catalog catalog) {
    this.catalog = catalog;
    for (var schema : catalog.schemas()) {
      var own = new LinkedHashMap<String, RestTable>();
      for (var table : schema.tables()) {
        var rest = new RestTable(catalog, table);
        own.put(rest.name(), rest);
        tables.put(table.name(), rest);
        byDefault.put(catalog.apiName(table.name()), rest);
      }
      schemas.put(catalog.apiName(schema), own);
      routines.put(catalog.apiName(schema), routines(schema));
    }
  }

  private Map<String, List<RestRoutine>> routines(Schema schema) {
    var own = new LinkedHashMap<String, List<RestRoutine>>();
    for (var routine : schema.routines()) {
      var rest = RestRoutine.of(catalog, catalog.bareApiName(routine), routine);
      own.computeIfAbsent(rest.name(), name -> new ArrayList<>()).add(rest);
      var name = catalog.apiName(routine);
      routinesByDefault.computeIfAbsent(name, key -> new ArrayList<>()).add(rest);
    }
    return own;
  }

  public Catalog catalog() {
    return catalog;
  }

  public RestTable table(TableName name) {
    return Objects.requireNonNull(tables.get(name));
  }

  /**
   * Returns the table that a URL names.
   *
   * @param profile the schema, by its API name; null for the default one, in which tables of other
   *     schemas are named {@code schema_table}. So is {@code public} where there is no such schema
   * @throws RestFailure PGRST106 for an unknown schema, PGRST205 for an unknown table
   */
  public RestTable require(@Nullable String profile, String name) {
    var table = tables(profile).get(name);
    if (table == null) {
      throw new RestFailure(
          404,
          ErrorCode.UNKNOWN_TABLE,
          "PGRST205",
          "Could not find the table '" + RestFailure.shortened(name) + "' in the schema cache",
          null,
          null);
    }
    return table;
  }

  /**
   * Returns the tables of a schema, by their names in URLs.
   *
   * @param profile as for {@link #require}
   * @throws RestFailure PGRST106
   */
  public Map<String, RestTable> tables(@Nullable String profile) {
    return profile == null || isDefault(profile) ? byDefault : of(profile, schemas);
  }

  /** Returns the routines of a schema, by their names in URLs. */
  public Map<String, List<RestRoutine>> routines(@Nullable String profile) {
    return profile == null || isDefault(profile) ? routinesByDefault : of(profile, routines);
  }

  /** Clients name a schema even where their users do not; it need not exist. */
  private boolean isDefault(@Nullable String profile) {
    return profile == null || (profile.equals(OF_CLIENTS) && !schemas.containsKey(profile));
  }

  private <T> Map<String, T> of(String profile, Map<String, Map<String, T>> bySchema) {
    var candidates = bySchema.get(profile);
    if (candidates == null) {
      throw new RestFailure(
          406,
          HttpErrorCode.NOT_ACCEPTABLE,
          "PGRST106",
          "There is no schema '" + RestFailure.shortened(profile) + "'",
          null,
          "There are " + String.join(", ", schemas.keySet().stream().limit(20).toList()));
    }
    return candidates;
  }

  /**
   * Returns the routine that a URL names, selected by the given arguments: the one with exactly
   * these parameters, else the only one whose other parameters have defaults.
   *
   * @param profile as for {@link #require}
   * @throws RestFailure PGRST202 where there is none, PGRST203 where there are several
   */
  public RestRoutine requireRoutine(@Nullable String profile, String name, Set<String> arguments) {
    var named = routines(profile).getOrDefault(name, List.of());
    var takers = named.stream().filter(each -> each.takes(arguments)).toList();
    var exact =
        takers.stream().filter(each -> each.parameters().size() == arguments.size()).findFirst();
    if (exact.isPresent()) {
      return exact.get();
    }
    if (takers.size() == 1) {
      return takers.getFirst();
    }
    var call = RestFailure.shortened(name + "(" + String.join(", ", arguments) + ")");
    if (takers.isEmpty()) {
      throw new RestFailure(
          404,
          ErrorCode.UNKNOWN_ROUTINE,
          "PGRST202",
          "Could not find the function " + call + " in the schema cache",
          null,
          named.isEmpty() ? null : "There is " + signatures(named));
    }
    throw new RestFailure(
        300,
        ErrorCode.INVALID_OPERATION,
        "PGRST203",
        "Could not choose the best candidate function for " + call,
        null,
        "There are " + signatures(takers));
  }

  private static String signatures(List<RestRoutine> routines) {
    return routines.stream()
        .limit(10)
        .map(each -> each.name() + "(" + String.join(", ", each.parameters().keySet()) + ")")
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the profile that also reaches a table that is reachable without a profile; null for
   * none.
   */
  public @Nullable String profile(String resource, RestTable table) {
    for (var schema : catalog.schemas()) {
      if (schema.name().equals(table.table().name().schema())) {
        var profile = catalog.apiName(schema);
        return table.equals(tables(profile).get(resource)) ? profile : null;
      }
    }
    return null;
  }

  /** Returns the database's comment on a schema; on the default one for null. */
  public @Nullable String comment(@Nullable String profile) {
    for (var schema : catalog.schemas()) {
      if (profile == null
          ? schema.name().equals(catalog.defaultSchema())
          : catalog.apiName(schema).equals(profile)) {
        return schema.comment();
      }
    }
    return null;
  }
}
