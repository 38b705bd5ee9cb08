// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.Operation;
import dev.evita.api.Output;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The base of all suites. */
interface EngineSuite {

  /** The engine under test. */
  EngineDriver db();

  /** Whether a behavior is expected, which the running test depends on. */
  boolean supports(EngineBehavior behavior);

  /** Creates tables and rows in its database. */
  EngineFixture fixture();

  /** Creates tables and rows in the database of {@link #openAnother}. */
  EngineFixture fixtureOf(Engine engine);

  /** The tables that it reads and writes. */
  Shop shop();

  /** A second engine over another fresh, empty database; the caller closes it. */
  Engine openAnother();

  /** Columns as outputs. */
  static List<Output> columns(String... names) {
    return Arrays.stream(names).<Output>map(Output.Column::new).toList();
  }

  /** Columns and further outputs. */
  static List<Output> outputs(List<Output> columns, Output... further) {
    var all = new ArrayList<>(columns);
    all.addAll(List.of(further));
    return all;
  }

  /** Columns of a table of the default schema. */
  default Select select(String table, String... names) {
    return Select.of(db().table(table), columns(names));
  }

  /** Related rows. */
  static Output nested(Relationship relationship, Output... outputs) {
    return new Output.Nested(relationship, Select.of(relationship.to(), List.of(outputs)));
  }

  /** One column as output. */
  static Output column(String name) {
    return new Output.Column(name);
  }

  /** Asserts the failure of an engine that lacks a behavior. */
  default void requireUnsupported(Operation operation, Bindings bindings) {
    assertThat(db().failure(operation, bindings).code()).isEqualTo(ErrorCode.UNSUPPORTED_OPERATION);
  }
}
