// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Select;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values inside arrays, JSON and texts. */
interface NestedValueSuite extends EngineSuite {

  private void store(String column, List<? extends @Nullable Object> values) {
    fixture().deleteAll("all_types");
    var bind = new Bindings();
    var rows = new ArrayList<List<@Nullable Object>>();
    for (int i = 0; i < values.size(); i++) {
      rows.add(Arrays.asList(i + 1, values.get(i)));
    }
    var table = db().table("all_types");
    db().affected(new Insert(table, List.of("id", column), bind.rows(rows), null, List.of()), bind);
  }

  private Select ids(Filter where) {
    return select("all_types", "id").where(where).orderBy(List.of(Order.ascending("id")));
  }

  private List<?> compared(String column, Comparison comparison, Object value) {
    var bind = new Bindings();
    return db().column(ids(bind.compare(column, comparison, value)), bind);
  }

  // ---------------------------------------------------------------- arrays

  @Test
  default void arrays_containAndOverlap() {
    if (!supports(EngineBehavior.ARRAYS)) {
      var bind = new Bindings();
      var where = bind.compare("name", Comparison.OVERLAPS, List.of("a"));
      requireUnsupported(select("products", "id").where(where), bind);
      return;
    }
    var column = "c_int32_array";
    store(
        column,
        Arrays.asList(List.of(1, 2, 3), List.of(2), List.of(), Arrays.asList(1, null), null));
    assertThat(compared(column, Comparison.CONTAINS, List.of(2))).isEqualTo(List.of(1L, 2L));
    assertThat(compared(column, Comparison.CONTAINS, List.of(1, 3))).isEqualTo(List.of(1L));
    assertThat(compared(column, Comparison.CONTAINS, List.of())).isEqualTo(List.of(1L, 2L, 3L, 4L));
    assertThat(compared(column, Comparison.CONTAINS, Arrays.asList(1, null))).isEqualTo(List.of());
    assertThat(compared(column, Comparison.CONTAINED_IN, List.of(3, 2, 1)))
        .isEqualTo(List.of(1L, 2L, 3L));
    assertThat(compared(column, Comparison.OVERLAPS, List.of(3, 9))).isEqualTo(List.of(1L));
    assertThat(compared(column, Comparison.OVERLAPS, List.of())).isEqualTo(List.of());
  }

  @Test
  default void arrays_ofTexts_containAndOverlap() {
    if (!supports(EngineBehavior.ARRAYS)) {
      return;
    }
    var column = "c_text_array";
    store(column, List.of(List.of("a", "b"), List.of("{,\"}", ""), List.of("NULL")));
    assertThat(compared(column, Comparison.CONTAINS, List.of("b"))).isEqualTo(List.of(1L));
    assertThat(compared(column, Comparison.CONTAINS, List.of("{,\"}"))).isEqualTo(List.of(2L));
    assertThat(compared(column, Comparison.CONTAINED_IN, List.of("NULL", "x")))
        .isEqualTo(List.of(3L));
    assertThat(compared(column, Comparison.OVERLAPS, List.of("a", ""))).isEqualTo(List.of(1L, 2L));
  }

  /** A null comparison is unknown in its negation, too. */
  @Test
  default void arrays_null_areUnknown() {
    if (!supports(EngineBehavior.ARRAYS)) {
      return;
    }
    store("c_int32_array", Arrays.asList(List.of(1), null));
    for (var comparison :
        List.of(Comparison.CONTAINS, Comparison.CONTAINED_IN, Comparison.OVERLAPS)) {
      var bind = new Bindings();
      var not = new Filter.Not(bind.compare("c_int32_array", comparison, List.of(7)));
      assertThat(db().column(ids(not), bind)).as("%s", comparison).isEqualTo(List.of(1L));
    }
  }

  // ---------------------------------------------------------------- JSON

  /** A column that contains JSON: of that type, or of text if there is none. */
  private String json() {
    return !shop().hasType(DataType.Scalar.JSON) ? "c_text" : "c_json";
  }

  private void storeJson() {
    store(
        json(),
        List.of(
            "{\"a\":{\"b\":[1,\"x\\\"\\u00e4\\\\\\n\"]},\"n\":1.50,\"t\":true,\"o o\":\"5\"}",
            "{\"a\":null,\"n\":5}",
            "[7,8]"));
  }

  private Output.Path path(boolean text, Object... steps) {
    var all =
        Arrays.stream(steps)
            .<Output.Step>map(step ->
                step instanceof Integer index
                    ? new Output.Step.Element(index)
                    : new Output.Step.Member((String) step))
            .toList();
    return new Output.Path(json(), all, text);
  }

  private List<@Nullable Object> at(Output.Path path) {
    var select =
        Select.of(db().table("all_types"), List.of(path)).orderBy(List.of(Order.ascending("id")));
    return db().rows(select, new Bindings()).stream()
        .<@Nullable Object>map(List::getFirst)
        .toList();
  }

  @Test
  default void paths_readNestedValues() {
    storeJson();
    if (!supports(EngineBehavior.JSON_PATHS)) {
      requireUnsupported(
          Select.of(db().table("all_types"), List.of(path(true, "a"))), new Bindings());
      return;
    }
    assertThat(at(path(false, "a", "b", 0))).isEqualTo(Arrays.asList("1", null, null));
    assertThat(at(path(true, "a", "b", 1))).isEqualTo(Arrays.asList("x\"\u00e4\\\n", null, null));
    assertThat(at(path(true, "n"))).isEqualTo(Arrays.asList("1.50", "5", null));
    assertThat(at(path(true, "t"))).isEqualTo(Arrays.asList("true", null, null));
    assertThat(at(path(true, "o o"))).isEqualTo(Arrays.asList("5", null, null));
    assertThat(at(path(false, "o o"))).isEqualTo(Arrays.asList("\"5\"", null, null));
    assertThat(at(path(true, "a"))).element(1).isNull();
    assertThat(at(path(false, "a"))).element(1).isEqualTo("null");
    assertThat(at(path(true, 1))).isEqualTo(Arrays.asList(null, null, "8"));
    assertThat(at(path(true, "no ' such", "\u00e4"))).isEqualTo(Arrays.asList(null, null, null));
  }

  @Test
  default void paths_filterAndOrder() {
    storeJson();
    if (!supports(EngineBehavior.JSON_PATHS)) {
      return;
    }
    var bind = new Bindings();
    var text = new Filter.Test.Compare(Comparison.EQUAL, bind.value("5"));
    assertThat(db().column(ids(new Filter.AtPath(path(true, "n"), text)), bind))
        .isEqualTo(List.of(2L));
    var like = new Filter.Test.Compare(Comparison.LIKE, bind.value("x%"));
    assertThat(db().column(ids(new Filter.AtPath(path(true, "a", "b", 1), like)), bind))
        .isEqualTo(List.of(1L));
    var json = new Filter.Test.Compare(Comparison.EQUAL, bind.value(" 5 "));
    assertThat(db().column(ids(new Filter.AtPath(path(false, "n"), json)), bind))
        .isEqualTo(List.of(2L));
    var in = new Filter.Test.In(bind.value(List.of("5", "1.50")));
    assertThat(db().column(ids(new Filter.AtPath(path(true, "n"), in)), bind))
        .isEqualTo(List.of(1L, 2L));
    var isNull = new Filter.AtPath(path(true, "t"), new Filter.Test.IsNull());
    assertThat(db().column(ids(isNull), bind)).isEqualTo(List.of(2L, 3L));
    var order =
        new Order(List.of(), path(true, "n"), Order.Direction.DESCENDING, Order.Nulls.FIRST);
    var ordered = select("all_types", "id").orderBy(List.of(order));
    assertThat(db().column(ordered, new Bindings())).isEqualTo(List.of(3L, 2L, 1L));
  }

  @Test
  default void paths_ofOtherTypes_areRejected() {
    var path = new Output.Path("price", List.of(new Output.Step.Member("a")), true);
    requireUnsupported(Select.of(db().table("products"), List.of(path)), new Bindings());
  }

  @Test
  default void json_containsJson() {
    var bind = new Bindings();
    var contains = ids(bind.compare(json(), Comparison.CONTAINS, "{\"n\":5}"));
    if (!supports(EngineBehavior.JSON_CONTAINMENT)) {
      requireUnsupported(contains, bind);
      return;
    }
    storeJson();
    assertThat(db().column(contains, bind)).isEqualTo(List.of(2L));
    assertThat(compared(json(), Comparison.CONTAINED_IN, "[8,7,6]")).isEqualTo(List.of(3L));
    var broken = new Bindings();
    var where = ids(broken.compare(json(), Comparison.CONTAINS, "{"));
    assertThat(db().failure(where, broken).code()).isEqualTo(ErrorCode.INVALID_DATA);
    var overlaps = new Bindings();
    requireUnsupported(ids(overlaps.compare(json(), Comparison.OVERLAPS, "1")), overlaps);
  }

  // ---------------------------------------------------------------- full text

  private Select found(
      Bindings bind, Filter.Search search, @Nullable String language, String query) {
    return select("products", "id")
        .where(new Filter.FullText("name", search, language, bind.value(query)))
        .orderBy(List.of(Order.ascending("id")));
  }

  private List<?> found(Filter.Search search, String query) {
    var bind = new Bindings();
    return db().column(found(bind, search, "english", query), bind);
  }

  @Test
  default void fullText_findsWords() {
    if (!supports(EngineBehavior.FULL_TEXT)) {
      var bind = new Bindings();
      requireUnsupported(found(bind, Filter.Search.WORDS, null, "anvil"), bind);
      return;
    }
    assertThat(found(Filter.Search.OPERATORS, "anvil | cubes")).isEqualTo(List.of(1L, 4L, 5L));
    assertThat(found(Filter.Search.WORDS, "skate rocket")).isEqualTo(List.of(3L));
    assertThat(found(Filter.Search.PHRASE, "skate rocket")).isEqualTo(List.of());
    assertThat(found(Filter.Search.PHRASE, "rockets skate")).isEqualTo(List.of(3L));
    assertThat(found(Filter.Search.WEB, "\"rocket skates\" or rope")).isEqualTo(List.of(2L, 3L));
  }

  @Test
  default void fullText_invalidQueryOrLanguage_isAUserError() {
    if (!supports(EngineBehavior.FULL_TEXT)) {
      return;
    }
    for (var broken : List.of("a b", "a &", "(")) {
      var bind = new Bindings();
      var select = found(bind, Filter.Search.OPERATORS, null, broken);
      assertThat(db().failure(select, bind).code()).as(broken).isEqualTo(ErrorCode.INVALID_DATA);
    }
    var bind = new Bindings();
    var select = found(bind, Filter.Search.WORDS, "klin'gon", "x");
    assertThat(db().failure(select, bind).code()).isEqualTo(ErrorCode.INVALID_DATA);
  }
}
