// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.DataType;
import dev.evita.api.Delete;
import dev.evita.api.Insert;
import dev.evita.api.TableName;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.api.testkit.EngineFixture;
import dev.evita.api.testkit.TableDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates the tables of the test kit by {@link MemoryEngine#createTable}. */
record MemoryFixture(MemoryEngine engine) implements EngineFixture {

  @Override
  public boolean supports(DataType type) {
    return MemoryValues.supports(type);
  }

  @Override
  public int fractionDigits() {
    return 9;
  }

  @Override
  public void createTable(TableDefinition table) {
    engine.createTable(table.toTable(MemoryEngine.SCHEMA));
  }

  @Override
  public void dropTable(String name) {
    engine.dropTable(name);
  }

  @Override
  public void insert(String table, List<String> columns, List<List<@Nullable Object>> rows) {
    var bind = new Bindings();
    var name = new TableName(MemoryEngine.SCHEMA, table);
    var insert = new Insert(name, columns, bind.rows(rows), null, List.of());
    new EngineDriver(engine).affected(insert, bind);
  }

  @Override
  public void deleteAll(String table) {
    var delete = new Delete(new TableName(MemoryEngine.SCHEMA, table), null, List.of());
    new EngineDriver(engine).affected(delete, new Bindings());
  }
}
