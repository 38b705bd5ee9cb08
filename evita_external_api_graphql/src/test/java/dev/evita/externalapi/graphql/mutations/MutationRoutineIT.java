// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Routine;
import dev.evita.api.Schema;
import dev.evita.api.testkit.FaultyEngine;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.MemoryEngine;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Routines that write are fields of mutations, run in their transaction. */
final class MutationRoutineIT {

  private static final Column REASON = Column.of("reason", DataType.Scalar.TEXT, true);
  private static final Column BY =
      new Column("by", DataType.Scalar.TEXT, "text", true, "user", Column.Generation.NONE, null);

  private static Routine routine(String name, boolean many, boolean readOnly) {
    return new Routine(
        "public",
        name,
        List.of(REASON),
        List.of(Column.of("what", DataType.Scalar.TEXT, true)),
        many,
        readOnly,
        null);
  }

  private static FaultyEngine engine() {
    var routines =
        List.of(
            routine("archive", false, false),
            routine("archive_all", true, false),
            new Routine("public", "sweep", List.of(BY), List.of(), false, false, null),
            routine("look", false, true));
    var schema = new Schema("public", List.of(), routines, null);
    return new FaultyEngine(
        new MemoryEngine(new Catalog(1, "public", Catalog.Folding.NONE, List.of(schema))));
  }

  @Test
  void routines_areCalledInOneTransaction() {
    try (var engine = engine();
        var client = new Client(engine)) {
      assertThat(
              client.ask(
                  """
                  mutation($why: String) {
                    a: archive(reason: "old") { what t: __typename }
                    archive_all(reason: $why) { what }
                    none: archive(reason: null) { what }
                    sweep { done }
                  }
                  """,
                  "{\"why\": \"new\"}"))
          .isEqualTo(
              """
              {"data":{"a":{"what":"old","t":"archive_result"},"archive_all":[{"what":"new"}],\
              "none":{"what":null},"sweep":{"done":true}}}\
              """);
      assertThat(engine.transactions()).isEqualTo(1);
      assertThat(engine.commits()).isEqualTo(1);
      assertThat(engine.statements()).isEqualTo(4);
    }
  }

  @Test
  void argumentWithoutDefault_mustBeGiven() {
    try (var engine = engine();
        var client = new Client(engine)) {
      for (var call : List.of("{ look", "query($why: String) { look(reason: $why)")) {
        assertThat(client.ask(call + " { what } }"))
            .contains("\"reason: the argument is missing", "INVALID_VALUE", "\"path\":[\"look\"]")
            .doesNotContain("\"data\":{");
      }
    }
  }

  @Test
  void routinesThatOnlyRead_areFieldsOfQueriesAlone() {
    try (var engine = engine();
        var client = new Client(engine)) {
      assertThat(client.ask("{ look(reason: \"x\") { what } }"))
          .isEqualTo("{\"data\":{\"look\":{\"what\":\"x\"}}}");
      assertThat(client.ask("mutation { look { what } }")).contains("INVALID_DOCUMENT");
      assertThat(client.ask("{ archive { what } }")).contains("INVALID_DOCUMENT");
    }
  }

  @Test
  void typeNameAlone_needsNoTransaction() {
    try (var engine = engine();
        var client = new Client(engine)) {
      assertThat(client.ask("mutation { __typename }"))
          .isEqualTo("{\"data\":{\"__typename\":\"mutation_root\"}}");
      assertThat(engine.transactions()).isZero();
    }
  }
}
