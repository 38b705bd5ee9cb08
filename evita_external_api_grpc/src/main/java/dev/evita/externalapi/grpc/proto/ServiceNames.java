// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import dev.evita.api.Catalog;
import dev.evita.api.Schema;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The names of the services and methods of a catalog's tables. They are computed before messages
 * are generated, and without protobuf, no class of which is to be loaded at start. Immutable.
 *
 * @param packages by the names of schemas
 * @param tables the services
 * @param services their names with their packages
 * @param paths of all methods
 */
public record ServiceNames(
    Map<String, String> packages,
    Map<TableName, ServiceName> tables,
    Set<String> services,
    Set<String> paths) {

  /** The root package, below which each schema has its file. */
  public static final String FILES = "/grpc";

  /** Names that Python does not allow for classes; services become classes. */
  private static final List<String> CONSTANTS = List.of("None", "True", "False");

  /** Types that all tables of a schema share. */
  private static final List<String> SHARED =
      List.of(
          "AnyArray", "AnyValue", "OrderTerm", "NullsOrder", "ChangeKind", "InsertManyResponse");

  /** The suffixes after a base in the names of its messages; the empty one is the service. */
  private static final List<String> SUFFIXES =
      List.of(
          "",
          "Row",
          "Key",
          "Filter",
          "FilterList",
          "GetRequest",
          "ListRequest",
          "ListResponse",
          "ScanRequest",
          "InsertRequest",
          "UpdateRequest",
          "DeleteRequest",
          "WatchRequest",
          "Change");

  /** The pattern of paths of methods. */
  private static final Pattern PATH =
      Pattern.compile("/[A-Za-z]\\w*\\.[A-Za-z]\\w*/[A-Z][A-Za-z]*");

  public ServiceNames {
    packages = Map.copyOf(packages);
    tables = Map.copyOf(tables);
    services = Set.copyOf(services);
    paths = Set.copyOf(paths);
  }

  /**
   * Assigns names to the tables of a catalog: the stored ones, and for all other tables names that
   * neither stored nor removed tables have.
   */
  public static ServiceNames of(Catalog catalog, StoredTableNames kept) {
    var packages = packages(catalog, kept);
    var tables = new LinkedHashMap<TableName, ServiceName>();
    var services = new LinkedHashSet<String>();
    var paths = new LinkedHashSet<String>();
    for (var schema : catalog.schemas()) {
      var bases = bases(catalog, schema, kept);
      for (var table : schema.tables()) {
        var name =
            new ServiceName(
                Objects.requireNonNull(packages.get(schema.name())),
                Objects.requireNonNull(bases.get(table.name())));
        tables.put(table.name(), name);
        services.add(name.full());
        methods(table).forEach(method -> paths.add("/" + name.full() + "/" + method));
      }
    }
    return new ServiceNames(packages, tables, services, paths);
  }

  private static Map<String, String> packages(Catalog catalog, StoredTableNames kept) {
    var scope = ProtoNames.Scope.ofTypes();
    scope.take("evita"); // of the generic service
    var had = new HashMap<String, String>();
    kept.names().forEach((table, name) -> had.put(table.schema(), name.packageName()));
    for (var table : catalog.tables()) {
      var name = kept.names().get(table.name());
      if (name != null) {
        had.put(table.name().schema(), name.packageName()); // in preference to a removed one
      }
    }
    var wanted = new LinkedHashMap<String, String>();
    Predicate<Schema> known =
        each -> each.tables().stream().map(Table::name).anyMatch(kept::contains);
    knownFirst(catalog.schemas(), known)
        .forEach(each -> wanted.put(each.name(), ProtoNames.field(catalog.apiName(each))));
    return give(wanted, had, scope::take);
  }

  private static Map<TableName, String> bases(
      Catalog catalog, Schema schema, StoredTableNames kept) {
    var had = new HashMap<TableName, String>();
    kept.names()
        .forEach((table, name) -> {
          if (table.schema().equals(schema.name())) {
            had.put(table, name.base());
          }
        });
    var wanted = new LinkedHashMap<TableName, String>();
    knownFirst(schema.tables(), each -> kept.contains(each.name()))
        .forEach(
            each -> wanted.put(each.name(), ProtoNames.type(catalog.bareApiName(each.name()))));
    var scope = shared();
    return give(wanted, had, name -> scope.take(name, SUFFIXES));
  }

  /** Tables that were named when only numbers were stored are known to clients as well. */
  private static <T> List<T> knownFirst(List<T> all, Predicate<T> known) {
    return all.stream().sorted(Comparator.comparing(each -> !known.test(each))).toList();
  }

  /**
   * Assigns a name to each table without one.
   *
   * @param wanted the preferred names
   * @param had the stored names of these and other tables; they may have been edited by hand
   * @param take returns the same name, or a similar one if it is taken
   */
  private static <K> Map<K, String> give(
      Map<K, String> wanted, Map<K, String> had, UnaryOperator<String> take) {
    var given = new LinkedHashMap<K, String>();
    wanted.keySet().stream()
        .filter(had::containsKey)
        .forEach(each ->
            given.put(each, take.apply(ProtoNames.field(Objects.requireNonNull(had.get(each))))));
    had.forEach((each, name) -> {
      if (!wanted.containsKey(each)) {
        var unused = take.apply(name);
      }
    });
    wanted.forEach((each, name) -> {
      if (!had.containsKey(each)) {
        given.put(each, take.apply(name));
      }
    });
    return given;
  }

  /** Whether a path may be that of a table's method, regardless of the tables in the catalog. */
  public static boolean isLike(String path) {
    return PATH.matcher(path).matches();
  }

  /** Returns the name of the service of a table of the catalog. */
  ServiceName of(TableName table) {
    return Objects.requireNonNull(tables.get(table), table::toString);
  }

  private static ProtoNames.Scope shared() {
    var types = ProtoNames.Scope.ofTypes();
    SHARED.forEach(types::take);
    CONSTANTS.forEach(types::take);
    for (var kind : ProtoKind.values()) {
      types.take(kind.title(), List.of("Comparison", "List"));
    }
    return types;
  }

  /**
   * Returns the methods of a table; those that require a key or writable rows exist only if the
   * table has them.
   */
  static List<String> methods(Table table) {
    var methods = new ArrayList<String>();
    var keyed = table.primaryKey() != null;
    if (keyed) {
      methods.add("Get");
    }
    methods.addAll(List.of("List", "Scan"));
    if (table.kind() == Table.Kind.TABLE) {
      methods.addAll(List.of("Insert", "InsertMany"));
      if (keyed) {
        methods.addAll(List.of("Update", "Delete"));
      }
    }
    if (keyed) {
      methods.add("Watch");
    }
    return methods;
  }
}
