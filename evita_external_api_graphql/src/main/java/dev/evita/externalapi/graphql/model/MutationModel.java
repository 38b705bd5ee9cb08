// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of {@code mutation_root}, with all names assigned. Unchanged once it is built.
 *
 * <p>Names are assigned in this order: routines, {@code insert_x}, {@code update_x} and {@code
 * delete_x} of all tables, then names derived from those.
 */
public final class MutationModel {

  public static final String MUTATION_ROOT = "mutation_root";

  private final Map<TableModel, MutationTable> tables = new LinkedHashMap<>();
  private final Map<String, MutationField> fields = new LinkedHashMap<>();
  private final GraphQlNames fieldNames;
  private final Set<Capability> capabilities;

  private MutationModel(GraphQlNames fieldNames, Set<Capability> capabilities) {
    this.fieldNames = fieldNames;
    this.capabilities = capabilities;
  }

  /**
   * Creates the mutations of these tables and routines.
   *
   * @param typeNames the names of types that are taken; those of the inputs are added
   * @param fieldNames the names of fields that are taken: those of the calls
   * @param calls routines that may write
   * @param listFields the names of the fields that list tables, by table
   * @param capabilities those of the engine; without {@code TRANSACTIONS} there are no writes
   */
  static MutationModel of(
      Catalog catalog,
      GraphQlNames typeNames,
      GraphQlNames fieldNames,
      List<RootModel.Call> calls,
      Map<TableModel, String> listFields,
      Set<Capability> capabilities) {
    var model = new MutationModel(fieldNames, capabilities);
    for (var call : calls) {
      model.add(new MutationField.Call(call));
    }
    listFields.forEach((table, name) -> {
      if (MutationTable.writable(table) && model.writes()) {
        var names = MutationTable.TypeNames.claim(typeNames, table.typeName());
        model.tables.put(table, new MutationTable(catalog, table, names, capabilities));
      }
    });
    model.tables.values().forEach(table -> table.connect(model.tables));
    var bases = new LinkedHashMap<MutationTable, String>();
    model.tables.forEach((table, writes) -> bases.put(writes, listFields.get(table)));
    bases.forEach(model::addFields);
    bases.forEach(model::addDerived);
    return model;
  }

  private boolean writes() {
    return capabilities.contains(Capability.TRANSACTIONS)
        && (capabilities.contains(Capability.INSERT)
            || capabilities.contains(Capability.UPDATE)
            || capabilities.contains(Capability.DELETE));
  }

  private void addFields(MutationTable table, String base) {
    if (table.insertable()) {
      add(new MutationField.Insert(fieldNames.claim("insert_" + base), table, false));
    }
    if (table.updatable()) {
      add(new MutationField.Update(fieldNames.claim("update_" + base), table));
    }
    if (capabilities.contains(Capability.DELETE)) {
      add(new MutationField.Delete(fieldNames.claim("delete_" + base), table));
    }
  }

  /** Adds fields that return rows, and several updates. */
  private void addDerived(MutationTable table, String base) {
    var returning = capabilities.contains(Capability.RETURNING);
    var hasKey = !table.key().isEmpty() && returning;
    if (table.insertable() && returning) {
      add(new MutationField.Insert(fieldNames.claim("insert_" + base + "_one"), table, true));
    }
    if (table.updatable()) {
      if (hasKey) {
        add(new MutationField.UpdateByKey(fieldNames.claim("update_" + base + "_by_pk"), table));
      }
      add(new MutationField.UpdateMany(fieldNames.claim("update_" + base + "_many"), table));
    }
    if (hasKey && capabilities.contains(Capability.DELETE)) {
      add(new MutationField.DeleteByKey(fieldNames.claim("delete_" + base + "_by_pk"), table));
    }
  }

  private void add(MutationField field) {
    fields.put(field.name(), field);
  }

  public Iterable<MutationTable> tables() {
    return tables.values();
  }

  public Iterable<MutationField> fields() {
    return fields.values();
  }

  public @Nullable MutationField field(String name) {
    return fields.get(name);
  }
}
