// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * All that an engine shows of its database at one moment. Immutable.
 *
 * <p>Holds the names that APIs show (see {@link #apiName}) and the relationships derived from the
 * foreign keys, so that all protocols and all engines have the same ones.
 */
public final class Catalog {

  /** How an engine stores names that were written without quotes. */
  public enum Folding {
    /** As written, or in lower case: API names are the database's names. */
    NONE,
    /** In upper case: API names of wholly upper-case names are shown in lower case. */
    UPPER
  }

  private final long epoch;
  private final String defaultSchema;
  private final Folding folding;
  private final List<Schema> schemas;
  private final Map<TableName, Table> tables = new LinkedHashMap<>();
  private final Map<String, String> schemaNames = new HashMap<>();
  private final Map<TableName, String> bareNames = new HashMap<>();
  private final Map<TableName, String> tableNames = new HashMap<>();
  private final Map<TableName, Map<String, String>> columnNames = new HashMap<>();
  private final Map<TableName, List<Relationship>> relationships;

  /**
   * Derives names and relationships from what an engine read.
   *
   * @param epoch grows with each change
   * @param defaultSchema the schema whose tables have bare names
   */
  public Catalog(long epoch, String defaultSchema, Folding folding, List<Schema> schemas) {
    this.epoch = epoch;
    this.defaultSchema = defaultSchema;
    this.folding = folding;
    this.schemas = List.copyOf(schemas);
    nameTables();
    this.relationships = Relationships.derive(this);
  }

  private Catalog(Catalog base, Map<TableName, List<Relationship>> relationships) {
    this.epoch = base.epoch;
    this.defaultSchema = base.defaultSchema;
    this.folding = base.folding;
    this.schemas = base.schemas;
    nameTables();
    this.relationships = relationships;
  }

  private void nameTables() {
    schemaNames.putAll(ApiNames.of(folding, schemas.stream().map(Schema::name).toList()));
    for (var schema : schemas) {
      var siblings = schema.tables().stream().map(table -> table.name().table()).toList();
      var names = ApiNames.of(folding, siblings);
      for (var table : schema.tables()) {
        var bare = names.get(table.name().table());
        var prefixed = schemaNames.get(schema.name()) + "_" + bare;
        tables.put(table.name(), table);
        bareNames.put(table.name(), bare);
        tableNames.put(table.name(), schema.name().equals(defaultSchema) ? bare : prefixed);
        var columns = table.columns().stream().map(Column::name).toList();
        columnNames.put(table.name(), ApiNames.of(folding, columns));
      }
    }
  }

  /** Grows with each change of the schema that the engine noticed. */
  public long epoch() {
    return epoch;
  }

  /** The exact name of the schema whose tables have bare API names. */
  public String defaultSchema() {
    return defaultSchema;
  }

  /** The schemas that users see, without those of the system. */
  public List<Schema> schemas() {
    return schemas;
  }

  /** All tables of all schemas, in the order of the schemas. */
  public List<Table> tables() {
    return List.copyOf(tables.values());
  }

  /** The table of exactly this name. */
  public Optional<Table> table(TableName name) {
    return Optional.ofNullable(tables.get(name));
  }

  /**
   * The table of exactly this name.
   *
   * @throws EvitaException {@code UNKNOWN_TABLE}
   */
  public Table requireTable(TableName name) {
    return table(name)
        .orElseThrow(() ->
            new EvitaException(
                ErrorCode.UNKNOWN_TABLE,
                "There is no table '" + name + "' in the catalog of epoch " + epoch));
  }

  /** All routines of all schemas. */
  public List<Routine> routines() {
    return schemas.stream().flatMap(schema -> schema.routines().stream()).toList();
  }

  /**
   * The routine that a call means: the one that has just these parameters; else the only one that
   * takes these arguments because its other parameters have defaults.
   *
   * @param arguments the exact names of the parameters that the call gives
   * @throws EvitaException {@code UNKNOWN_ROUTINE} if there is none of this name; {@code
   *     INVALID_OPERATION} if none takes the arguments, or more than one
   */
  public Routine requireRoutine(String schema, String name, Set<String> arguments) {
    var named =
        routines().stream()
            .filter(each -> each.schema().equals(schema) && each.name().equals(name))
            .toList();
    if (named.isEmpty()) {
      throw new EvitaException(
          ErrorCode.UNKNOWN_ROUTINE,
          "There is no routine '%s.%s' in the catalog of epoch %d".formatted(schema, name, epoch));
    }
    var takers = named.stream().filter(each -> each.takes(arguments)).toList();
    var exact =
        takers.stream().filter(each -> each.parameters().size() == arguments.size()).findFirst();
    if (exact.isEmpty() && takers.size() != 1) {
      throw new EvitaException(
          ErrorCode.INVALID_OPERATION,
          "%s routine '%s.%s' takes the arguments %s"
              .formatted(takers.isEmpty() ? "No" : "More than one", schema, name, arguments));
    }
    return exact.orElseGet(takers::getFirst);
  }

  /** Relationships from this table: those of its own foreign keys first, then those to it. */
  public List<Relationship> relationships(TableName from) {
    return relationships.getOrDefault(from, List.of());
  }

  /**
   * The name that APIs show for a table: its bare name in the default schema, else prefixed with
   * the schema ({@code sales_orders}).
   */
  public String apiName(TableName table) {
    var name = tableNames.get(table);
    if (name == null) {
      throw new IllegalArgumentException("no table " + table);
    }
    return name;
  }

  /** The name that APIs show for a table beside those of its schema alone. */
  public String bareApiName(TableName table) {
    var name = bareNames.get(table);
    if (name == null) {
      throw new IllegalArgumentException("no table " + table);
    }
    return name;
  }

  /** The name that APIs show for a schema. */
  public String apiName(Schema schema) {
    var name = schemaNames.get(schema.name());
    if (name == null) {
      throw new IllegalArgumentException("no schema " + schema.name());
    }
    return name;
  }

  /** The name that APIs show for a column. */
  public String apiName(TableName table, String column) {
    var name = columnNames.getOrDefault(table, Map.of()).get(column);
    if (name == null) {
      throw new IllegalArgumentException("no column " + column + " in " + table);
    }
    return name;
  }

  /** The name that APIs show for a primary or unique key. */
  public String apiName(Key key) {
    return ApiNames.fold(folding, key.name());
  }

  /** The name that APIs show for a routine. */
  public String apiName(Routine routine) {
    var name = ApiNames.fold(folding, routine.name());
    return routine.schema().equals(defaultSchema)
        ? name
        : ApiNames.fold(folding, routine.schema()) + "_" + name;
  }

  /** The name that APIs show for a routine beside those of its schema alone. */
  public String bareApiName(Routine routine) {
    return ApiNames.fold(folding, routine.name());
  }

  /** The name that APIs show for a parameter or a result column of a routine. */
  public String apiName(Routine routine, String column) {
    var columns = new ArrayList<String>();
    routine.parameters().forEach(parameter -> columns.add(parameter.name()));
    routine.result().forEach(result -> columns.add(result.name()));
    return ApiNames.of(folding, columns).getOrDefault(column, column);
  }

  /**
   * The same catalog with relationships renamed.
   *
   * @param names from {@code table.relationship} in API names to the new relationship name
   * @throws EvitaException {@code INVALID_CONFIGURATION} for a relationship that does not exist or
   *     a name that is taken
   */
  public Catalog renamed(Map<String, String> names) {
    if (names.isEmpty()) {
      return this;
    }
    var unused = new LinkedHashMap<>(names);
    var renamed = new LinkedHashMap<TableName, List<Relationship>>();
    relationships.forEach((table, list) -> {
      var result = new ArrayList<Relationship>();
      for (var relationship : list) {
        var name = unused.remove(apiName(table) + "." + relationship.name());
        result.add(name == null ? relationship : relationship.named(name));
      }
      Relationships.requireDistinct(apiName(table), columnNames.get(table), result);
      renamed.put(table, List.copyOf(result));
    });
    if (!unused.isEmpty()) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "There is no relationship '"
              + unused.keySet().iterator().next()
              + "' to rename; expected table.relationship, for example "
              + example());
    }
    return new Catalog(this, renamed);
  }

  /** The same catalog without these tables; itself, where it has none of them. */
  public Catalog without(Predicate<Table> hidden) {
    if (tables.values().stream().noneMatch(hidden)) {
      return this;
    }
    var rest = new ArrayList<Schema>();
    for (var schema : schemas) {
      var shown = schema.tables().stream().filter(hidden.negate()).toList();
      rest.add(new Schema(schema.name(), shown, schema.routines(), schema.comment()));
    }
    return new Catalog(epoch, defaultSchema, folding, rest);
  }

  private String example() {
    return relationships.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty())
        .map(entry -> apiName(entry.getKey()) + "." + entry.getValue().getFirst().name())
        .findFirst()
        .orElse("orders.customer (this database has no foreign keys)");
  }

  /** Whether the other catalog shows the same schema, whatever its epoch. */
  public boolean sameAs(Catalog other) {
    return defaultSchema.equals(other.defaultSchema)
        && folding == other.folding
        && schemas.equals(other.schemas);
  }
}
