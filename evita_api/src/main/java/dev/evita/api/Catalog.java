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
 * A snapshot of the database objects that an engine publishes. Immutable.
 *
 * <p>Includes the names that APIs publish (see {@link #apiName}) and the relationships derived from
 * foreign keys, so that they are the same for all protocols and engines.
 */
public final class Catalog {

  /** The case in which an engine stores unquoted names. */
  public enum Folding {
    /** As written, or in lower case: API names are the database's names. */
    NONE,
    /** In upper case: API names of names entirely in upper case are published in lower case. */
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
   * Derives names and relationships from the objects that an engine has read.
   *
   * @param epoch increases with each change
   * @param defaultSchema the schema whose tables are published without a prefix
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

  /** The epoch; it increases with each schema change that the engine notices. */
  public long epoch() {
    return epoch;
  }

  /** The exact name of the schema whose tables are published without a prefix. */
  public String defaultSchema() {
    return defaultSchema;
  }

  /** The published schemas, without system schemas. */
  public List<Schema> schemas() {
    return schemas;
  }

  /** All tables of all schemas, in the order of the schemas. */
  public List<Table> tables() {
    return List.copyOf(tables.values());
  }

  /** Returns the table with exactly this name. */
  public Optional<Table> table(TableName name) {
    return Optional.ofNullable(tables.get(name));
  }

  /**
   * Returns the table with exactly this name.
   *
   * @throws EvitaException {@code UNKNOWN_TABLE}
   */
  public Table requireTable(TableName name) {
    return table(name)
        .orElseThrow(() ->
            new EvitaException(
                ErrorCode.UNKNOWN_TABLE,
                "Table '" + name + "' does not exist in the catalog of epoch " + epoch));
  }

  /** All routines of all schemas. */
  public List<Routine> routines() {
    return schemas.stream().flatMap(schema -> schema.routines().stream()).toList();
  }

  /**
   * Resolves a call to a routine: the one with exactly these parameters; else the only one that
   * accepts these arguments because its other parameters have defaults.
   *
   * @param arguments the exact names of the parameters passed by the call
   * @throws EvitaException {@code UNKNOWN_ROUTINE} if no routine has this name; {@code
   *     INVALID_OPERATION} if none accepts the arguments, or more than one
   */
  public Routine requireRoutine(String schema, String name, Set<String> arguments) {
    var named =
        routines().stream()
            .filter(each -> each.schema().equals(schema) && each.name().equals(name))
            .toList();
    if (named.isEmpty()) {
      throw new EvitaException(
          ErrorCode.UNKNOWN_ROUTINE,
          "Routine '%s.%s' does not exist in the catalog of epoch %d"
              .formatted(schema, name, epoch));
    }
    var takers = named.stream().filter(each -> each.takes(arguments)).toList();
    var exact =
        takers.stream().filter(each -> each.parameters().size() == arguments.size()).findFirst();
    if (exact.isEmpty() && takers.size() != 1) {
      throw new EvitaException(
          ErrorCode.INVALID_OPERATION,
          "%s routine '%s.%s' accepts the arguments %s"
              .formatted(takers.isEmpty() ? "No" : "More than one", schema, name, arguments));
    }
    return exact.orElseGet(takers::getFirst);
  }

  /** Relationships from this table: those of its own foreign keys first, then the reverse ones. */
  public List<Relationship> relationships(TableName from) {
    return relationships.getOrDefault(from, List.of());
  }

  /**
   * The published name of a table: its bare name in the default schema, else prefixed with the
   * schema ({@code sales_orders}).
   */
  public String apiName(TableName table) {
    var name = tableNames.get(table);
    if (name == null) {
      throw new IllegalArgumentException("no table " + table);
    }
    return name;
  }

  /** The published name of a table within its schema. */
  public String bareApiName(TableName table) {
    var name = bareNames.get(table);
    if (name == null) {
      throw new IllegalArgumentException("no table " + table);
    }
    return name;
  }

  /** The published name of a schema. */
  public String apiName(Schema schema) {
    var name = schemaNames.get(schema.name());
    if (name == null) {
      throw new IllegalArgumentException("no schema " + schema.name());
    }
    return name;
  }

  /** The published name of a column. */
  public String apiName(TableName table, String column) {
    var name = columnNames.getOrDefault(table, Map.of()).get(column);
    if (name == null) {
      throw new IllegalArgumentException("no column " + column + " in " + table);
    }
    return name;
  }

  /** The published name of a primary or unique key. */
  public String apiName(Key key) {
    return ApiNames.fold(folding, key.name());
  }

  /** The published name of a routine. */
  public String apiName(Routine routine) {
    var name = ApiNames.fold(folding, routine.name());
    return routine.schema().equals(defaultSchema)
        ? name
        : ApiNames.fold(folding, routine.schema()) + "_" + name;
  }

  /** The published name of a routine within its schema. */
  public String bareApiName(Routine routine) {
    return ApiNames.fold(folding, routine.name());
  }

  /** The published name of a parameter or a result column of a routine. */
  public String apiName(Routine routine, String column) {
    var columns = new ArrayList<String>();
    routine.parameters().forEach(parameter -> columns.add(parameter.name()));
    routine.result().forEach(result -> columns.add(result.name()));
    return ApiNames.of(folding, columns).getOrDefault(column, column);
  }

  /**
   * Returns this catalog with renamed relationships.
   *
   * @param names from {@code table.relationship} in API names to the new relationship name
   * @throws EvitaException {@code INVALID_CONFIGURATION} for a relationship that does not exist or
   *     a name that is already used
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
          "Relationship '"
              + unused.keySet().iterator().next()
              + "' does not exist; expected table.relationship, for example "
              + example());
    }
    return new Catalog(this, renamed);
  }

  /** Returns this catalog without these tables; itself if it contains none of them. */
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

  /** Whether the other catalog describes the same schema, whatever its epoch. */
  public boolean sameAs(Catalog other) {
    return defaultSchema.equals(other.defaultSchema)
        && folding == other.folding
        && schemas.equals(other.schemas);
  }
}
