// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.decimal;
import static dev.evita.api.testkit.EngineDriver.row;
import static dev.evita.api.testkit.EngineSuite.column;
import static dev.evita.api.testkit.EngineSuite.columns;
import static dev.evita.api.testkit.EngineSuite.nested;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Comparison;
import dev.evita.api.Delete;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.Insert.OnConflict;
import dev.evita.api.InsertRows;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Update;
import dev.evita.api.Update.Change;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Inserts, updates, deletes and their failures. */
interface WriteSuite extends EngineSuite {

  private Insert insert(List<String> names, Parameter rows, Output... returning) {
    return new Insert(db().table("items"), names, rows, null, List.of(returning));
  }

  /** Inserts rows of id, code, quantity. */
  private void put(List<?>... rows) {
    var bind = new Bindings();
    var insert = insert(List.of("id", "code", "quantity"), bind.rows(List.of(rows)));
    assertThat(db().affected(insert, bind)).isEqualTo(rows.length);
  }

  private List<List<@Nullable Object>> items() {
    return db().rows(
            select("items", "id", "code", "quantity", "note")
                .orderBy(List.of(Order.ascending("code"))));
  }

  private EvitaException.Code insertFailure(List<String> names, List<List<@Nullable Object>> rows) {
    var bind = new Bindings();
    var failure = db().failure(insert(names, bind.rows(rows)), bind);
    assertThat(items()).as("nothing is half-written").isEmpty();
    return failure.code();
  }

  @Test
  default void insert_oneRow_isStored() {
    var bind = new Bindings();
    var insert =
        insert(
            List.of("id", "code", "quantity", "price", "brand_id"),
            bind.rows(List.of(row(7, "a", 3, decimal("12.34"), 2))));
    assertThat(db().affected(insert, bind)).isEqualTo(1);
    assertThat(db().rows(select("items", "id", "code", "quantity", "price", "brand_id", "note")))
        .containsExactly(row(7, "a", 3, decimal("12.34"), 2, null));
  }

  @Test
  default void insert_fiveThousandRows_isOneExecution() {
    var rows = new ArrayList<List<@Nullable Object>>();
    for (int id = 1; id <= 5_000; id++) {
      rows.add(row(id, "c" + id, id));
    }
    var bind = new Bindings();
    var insert = insert(List.of("id", "code", "quantity"), bind.rows(rows));
    assertThat(db().affected(insert, bind)).isEqualTo(5_000);
    assertThat(db().column(select("items", "id"))).hasSize(5_000).doesNotHaveDuplicates();
  }

  @Test
  default void insert_noRows_changesNothing() {
    var bind = new Bindings();
    var insert = insert(List.of("id", "code", "quantity"), bind.rows(List.of()));
    assertThat(db().affected(insert, bind)).isZero();
    assertThat(items()).isEmpty();
  }

  @Test
  default void preparedInsert_acceptsAnyNumberOfRows() {
    var prepared = db().prepare(insert(List.of("id", "code", "quantity"), new Parameter(0)));
    var id = 0;
    for (int size : List.of(1, 3, 2, 1)) {
      var rows = new ArrayList<List<@Nullable Object>>();
      for (int i = 0; i < size; i++) {
        id++;
        rows.add(row(id, "c" + id, 1));
      }
      var bind = new Bindings();
      bind.rows(rows);
      var sink = new CollectingSink();
      prepared.run(bind.arguments(), null, sink);
      assertThat(sink.await(EngineDriver.PATIENCE).affected()).isEqualTo(size);
    }
    assertThat(items()).hasSize(7);
  }

  @Test
  default void omittedColumns_getTheirDefaults() {
    if (!supports(EngineBehavior.DEFAULTS)) {
      assertThat(insertFailure(List.of("id", "code"), List.of(row(1, "a"))))
          .isEqualTo(ErrorCode.NOT_NULL_VIOLATION);
      return;
    }
    var bind = new Bindings();
    db().affected(insert(List.of("id", "code"), bind.rows(List.of(row(1, "a")))), bind);
    assertThat(items()).containsExactly(row(1, "a", 1, null));
  }

  @Test
  default void defaultInSomeRows_appliesToThose() {
    var bind = new Bindings();
    var rows =
        bind.rows(
            List.of(
                row(1, "a", InsertRows.DEFAULT, "x"),
                row(2, "b", 9, InsertRows.DEFAULT),
                row(3, "c", InsertRows.DEFAULT, null)));
    var insert = insert(List.of("id", "code", "quantity", "note"), rows);
    if (!supports(EngineBehavior.DEFAULT_IN_ROWS)) {
      assertThat(db().failure(insert, bind).code()).isEqualTo(ErrorCode.UNSUPPORTED_OPERATION);
      assertThat(items()).isEmpty();
      return;
    }
    if (!supports(EngineBehavior.DEFAULTS)) {
      assertThat(db().failure(insert, bind).code()).isEqualTo(ErrorCode.NOT_NULL_VIOLATION);
      return;
    }
    assertThat(db().affected(insert, bind)).isEqualTo(3);
    assertThat(items())
        .containsExactly(row(1, "a", 1, "x"), row(2, "b", 9, null), row(3, "c", 1, null));
  }

  @Test
  default void identity_isGeneratedAndReturned() {
    var bind = new Bindings();
    var rows = bind.rows(List.of(row("a", 1), row("b", 2), row("c", 3)));
    var insert = insert(List.of("code", "quantity"), rows, column("id"), column("code"));
    if (!supports(EngineBehavior.IDENTITY_BY_DEFAULT)) {
      assertThat(db().failure(insert, bind).code()).isEqualTo(ErrorCode.NOT_NULL_VIOLATION);
      return;
    }
    var returned = db().rows(insert, bind);
    assertThat(returned).extracting(List::getLast).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(db().rows(select("items", "id", "code")))
        .containsExactlyInAnyOrderElementsOf(returned);
  }

  @Test
  default void identityAlways_setByClient_isRejected() {
    if (!supports(EngineBehavior.IDENTITY_ALWAYS)) {
      assertThat(db().catalog().table(db().table("tickets"))).isEmpty();
      return;
    }
    var bind = new Bindings();
    var set =
        new Insert(
            db().table("tickets"), List.of("id"), bind.rows(List.of(row(1))), null, List.of());
    assertThat(db().failure(set, bind).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
    var free = new Bindings();
    var allDefaults =
        new Insert(
            db().table("tickets"), List.of(), free.rows(List.of(row(), row())), null, List.of());
    assertThat(db().affected(allDefaults, free)).isEqualTo(2);
    assertThat(db().column(select("tickets", "id"))).hasSize(2).doesNotContainNull();
  }

  @Test
  default void computedColumn_isComputedAndNotWritable() {
    if (!supports(EngineBehavior.GENERATED_COLUMNS)) {
      assertThat(db().failure(select("items", "doubled"), new Bindings()).code())
          .isEqualTo(ErrorCode.UNKNOWN_COLUMN);
      return;
    }
    put(row(1, "a", 21));
    assertThat(db().column(select("items", "doubled"))).containsExactly(42L);
    var bind = new Bindings();
    var change = new Change.Assign("doubled", bind.value(1));
    var update = new Update(db().table("items"), List.of(change), null, List.of());
    assertThat(db().failure(update, bind).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
  }

  @Test
  default void insertReturning_returnsNestedRows() {
    var bind = new Bindings();
    var brand = nested(shop().relationship("items", "brand"), column("name"));
    var rows = bind.rows(List.of(row(1, "a", 1, 2), row(2, "b", 1, null)));
    var insert = insert(List.of("id", "code", "quantity", "brand_id"), rows, column("code"), brand);
    assertThat(db().rows(insert, bind))
        .containsExactlyInAnyOrder(row("a", row("Borg")), row("b", null));
  }

  private Insert upsert(Bindings bind, List<String> update, Output... returning) {
    var rows = bind.rows(List.of(row(1, "a", 10), row(2, "b", 20)));
    return new Insert(
        db().table("items"),
        List.of("id", "code", "quantity"),
        rows,
        new OnConflict(List.of("id"), update),
        List.of(returning));
  }

  @Test
  default void upsert_existingRow_isUpdated() {
    var bind = new Bindings();
    var upsert = upsert(bind, List.of("quantity"));
    put(row(1, "old", 1));
    assertThat(db().affected(upsert, bind)).isEqualTo(2);
    assertThat(items()).containsExactly(row(2, "b", 20, null), row(1, "old", 10, null));
  }

  @Test
  default void upsertWithoutUpdate_keepsTheExistingRow() {
    var bind = new Bindings();
    var upsert = upsert(bind, List.of());
    put(row(1, "old", 1));
    assertThat(db().affected(upsert, bind)).isEqualTo(1);
    assertThat(items()).containsExactly(row(2, "b", 20, null), row(1, "old", 1, null));
  }

  @Test
  default void upsertReturning_returnsOnlyWrittenRows() {
    put(row(1, "old", 1));
    var update = new Bindings();
    assertThat(
            db().rows(
                    upsert(update, List.of("quantity"), column("code"), column("quantity")),
                    update))
        .containsExactlyInAnyOrder(row("old", 10), row("b", 20));
    fixture().deleteAll("items");
    put(row(1, "old", 1));
    var ignore = new Bindings();
    assertThat(db().rows(upsert(ignore, List.of(), column("code")), ignore))
        .containsExactly(row("b"));
  }

  @Test
  default void upsert_onUniqueAndCompositeKeys_isSupported() {
    var bind = new Bindings();
    var onCode =
        new Insert(
            db().table("items"),
            List.of("id", "code", "quantity"),
            bind.rows(List.of(row(5, "old", 6))),
            new OnConflict(List.of("code"), List.of("quantity")),
            List.of());
    if (!supports(EngineBehavior.UNIQUE_CONSTRAINTS)) {
      assertThat(db().failure(onCode, bind).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
      return;
    }
    put(row(1, "old", 1));
    assertThat(db().affected(onCode, bind)).isEqualTo(1);
    assertThat(items()).containsExactly(row(1, "old", 6, null));
    for (var text : List.of("first", "second")) {
      var note = new Bindings();
      var insert =
          new Insert(
              db().table("item_notes"),
              List.of("item_id", "line", "text"),
              note.rows(List.of(row(1, 1, text))),
              new OnConflict(List.of("item_id", "line"), List.of("text")),
              List.of());
      assertThat(db().affected(insert, note)).isEqualTo(1);
    }
    assertThat(db().column(select("item_notes", "text"))).containsExactly("second");
  }

  @Test
  default void update_assignsAndIncrements() {
    put(row(1, "a", 5), row(2, "b", 6), row(3, "c", 7));
    var bind = new Bindings();
    var update =
        new Update(
            db().table("items"),
            List.of(
                new Change.Increment("quantity", bind.value(10)),
                new Change.Assign("note", bind.value("changed"))),
            bind.compare("id", Comparison.GREATER, 1),
            List.of());
    assertThat(db().affected(update, bind)).isEqualTo(2);
    assertThat(items())
        .containsExactly(
            row(1, "a", 5, null), row(2, "b", 16, "changed"), row(3, "c", 17, "changed"));
  }

  @Test
  default void update_toNull_andIncrementOfNull() {
    put(row(1, "a", 5));
    var bind = new Bindings();
    var update =
        new Update(
            db().table("items"),
            List.of(
                new Change.Assign("note", bind.value(null)),
                new Change.Increment("small", bind.value(1))),
            null,
            List.of());
    assertThat(db().affected(update, bind)).isEqualTo(1);
    assertThat(db().rows(select("items", "note", "small"))).containsExactly(row(null, null));
  }

  @Test
  default void update_toTheDefault_setsIt() {
    put(row(1, "a", 5), row(2, "b", 6));
    var bind = new Bindings();
    var changes =
        List.<Change>of(
            new Change.Assign("code", bind.value("c")),
            new Change.Default("quantity"),
            new Change.Default("note"));
    var update = new Update(db().table("items"), changes, bind.equal("id", 2), List.of());
    if (supports(EngineBehavior.DEFAULTS)) {
      assertThat(db().affected(update, bind)).isEqualTo(1);
      assertThat(items()).containsExactly(row(1, "a", 5, null), row(2, "c", 1, null));
    } else {
      assertThat(db().failure(update, bind).code()).isEqualTo(ErrorCode.NOT_NULL_VIOLATION);
    }
  }

  @Test
  default void update_noMatch_changesNothing() {
    put(row(1, "a", 5));
    var bind = new Bindings();
    var change = new Change.Assign("quantity", bind.value(1));
    var update = new Update(db().table("items"), List.of(change), bind.equal("id", 99), List.of());
    assertThat(db().affected(update, bind)).isZero();
  }

  @Test
  default void updateReturning_returnsUpdatedRows() {
    put(row(1, "a", 5), row(2, "b", 6));
    var bind = new Bindings();
    var brand = nested(shop().relationship("items", "brand"), column("name"));
    var update =
        new Update(
            db().table("items"),
            List.of(
                new Change.Assign("brand_id", bind.value(1)),
                new Change.Assign("id", bind.value(9)),
                new Change.Increment("quantity", bind.value(1))),
            bind.equal("quantity", 6),
            List.of(column("id"), column("quantity"), brand));
    assertThat(db().rows(update, bind)).containsExactly(row(9, 7, row("Acme")));
    var again = new Bindings();
    var none =
        new Update(
            db().table("items"),
            List.of(new Change.Assign("note", again.value("x"))),
            again.equal("quantity", 6),
            columns("id"));
    assertThat(db().rows(none, again)).isEmpty();
  }

  @Test
  default void updateThroughARelationship_changesThoseRows() {
    shop().insert("items", "id code quantity brand_id", row(1, "a", 5, 1), row(2, "b", 6, 2));
    var bind = new Bindings();
    var acme = new Filter.Exists(shop().relationship("items", "brand"), bind.equal("name", "Acme"));
    var update =
        new Update(
            db().table("items"),
            List.of(new Change.Assign("quantity", bind.value(0))),
            acme,
            List.of());
    assertThat(db().affected(update, bind)).isEqualTo(1);
    assertThat(items()).containsExactly(row(1, "a", 0, null), row(2, "b", 6, null));
  }

  @Test
  default void delete_removesRows() {
    put(row(1, "a", 5), row(2, "b", 6), row(3, "c", 7));
    var bind = new Bindings();
    var some = new Delete(db().table("items"), bind.in("id", List.of(1, 3, 9)), List.of());
    assertThat(db().affected(some, bind)).isEqualTo(2);
    assertThat(items()).containsExactly(row(2, "b", 6, null));
    var all = new Delete(db().table("items"), null, List.of());
    assertThat(db().affected(all, new Bindings())).isEqualTo(1);
    assertThat(items()).isEmpty();
  }

  @Test
  default void deleteReturning_returnsDeletedRows() {
    put(row(1, "a", 5), row(2, "b", 6));
    var bind = new Bindings();
    var delete = new Delete(db().table("items"), bind.equal("id", 2), columns("code", "quantity"));
    assertThat(db().rows(delete, bind)).containsExactly(row("b", 6));
    assertThat(items()).hasSize(1);
  }

  @Test
  default void insert_failingInTheMiddle_isRolledBack() {
    var rows = new ArrayList<List<@Nullable Object>>();
    for (int id = 1; id <= 3_000; id++) {
      rows.add(row(id == 2_900 ? 5 : id, "c" + id, 1));
    }
    assertThat(insertFailure(List.of("id", "code", "quantity"), rows))
        .isEqualTo(ErrorCode.UNIQUE_VIOLATION);
  }

  @Test
  default void update_failingInTheMiddle_isRolledBack() {
    put(row(1, "a", 5), row(2, "b", 0), row(3, "c", 7));
    var bind = new Bindings();
    var change = new Change.Increment("quantity", bind.value(-1));
    var update = new Update(db().table("items"), List.of(change), null, List.of());
    if (!supports(EngineBehavior.CHECK_CONSTRAINTS)) {
      assertThat(db().affected(update, bind)).isEqualTo(3);
      return;
    }
    assertThat(db().failure(update, bind).code()).isEqualTo(ErrorCode.CHECK_VIOLATION);
    assertThat(items()).extracting(item -> item.get(2)).containsExactly(5L, 0L, 7L);
  }

  @Test
  default void insert_duplicateKey_isUniqueViolation() {
    var names = List.of("id", "code", "quantity");
    assertThat(insertFailure(names, List.of(row(1, "a", 1), row(1, "b", 1))))
        .isEqualTo(ErrorCode.UNIQUE_VIOLATION);
    if (supports(EngineBehavior.UNIQUE_CONSTRAINTS)) {
      assertThat(insertFailure(names, List.of(row(1, "a", 1), row(2, "a", 1))))
          .isEqualTo(ErrorCode.UNIQUE_VIOLATION);
    }
  }

  @Test
  default void insert_missingParent_isForeignKeyViolation() {
    var bind = new Bindings();
    var insert =
        insert(
            List.of("id", "code", "quantity", "brand_id"), bind.rows(List.of(row(1, "a", 1, 99))));
    if (!supports(EngineBehavior.FOREIGN_KEYS)) {
      assertThat(db().affected(insert, bind)).isEqualTo(1);
      return;
    }
    assertThat(db().failure(insert, bind).code()).isEqualTo(ErrorCode.FOREIGN_KEY_VIOLATION);
  }

  @Test
  default void delete_parentWithChildren_isForeignKeyViolation() {
    if (!supports(EngineBehavior.FOREIGN_KEYS)) {
      assertThat(db().catalog().relationships(db().table("brands"))).isEmpty();
      return;
    }
    var bind = new Bindings();
    var delete = new Delete(db().table("brands"), bind.equal("id", 1), List.of());
    assertThat(db().failure(delete, bind).code()).isEqualTo(ErrorCode.FOREIGN_KEY_VIOLATION);
    assertThat(db().column(select("brands", "id"))).hasSize(3);
  }

  @Test
  default void insert_violatingACheck_isCheckViolation() {
    if (!supports(EngineBehavior.CHECK_CONSTRAINTS)) {
      put(row(1, "a", -1));
      return;
    }
    assertThat(insertFailure(List.of("id", "code", "quantity"), List.of(row(1, "a", -1))))
        .isEqualTo(ErrorCode.CHECK_VIOLATION);
  }

  @Test
  default void insert_nullInNotNullColumn_isNotNullViolation() {
    var names = List.of("id", "code", "quantity");
    assertThat(insertFailure(names, List.of(row(1, null, 1))))
        .isEqualTo(ErrorCode.NOT_NULL_VIOLATION);
    assertThat(insertFailure(List.of("id", "quantity"), List.of(row(1, 1))))
        .isEqualTo(ErrorCode.NOT_NULL_VIOLATION);
  }

  @Test
  default void textTooLong_isValueTooLong() {
    var names = List.of("id", "code", "quantity");
    var text = "a text of more than ten letters";
    if (!supports(EngineBehavior.LENGTH_LIMITS)) {
      put(row(1, text, 1));
      assertThat(items()).containsExactly(row(1, text, 1, null));
      return;
    }
    assertThat(insertFailure(names, List.of(row(1, text, 1)))).isEqualTo(ErrorCode.VALUE_TOO_LONG);
  }

  @Test
  default void numberTooLarge_isValueOutOfRange() {
    var bind = new Bindings();
    var insert =
        insert(
            List.of("id", "code", "quantity", "small"), bind.rows(List.of(row(1, "a", 1, 40_000))));
    if (!supports(EngineBehavior.RANGE_LIMITS)) {
      assertThat(db().affected(insert, bind)).isEqualTo(1);
      assertThat(db().column(select("items", "small"))).containsExactly(40_000L);
      return;
    }
    assertThat(db().failure(insert, bind).code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE);
    assertThat(
            insertFailure(
                List.of("id", "code", "quantity", "price"),
                List.of(row(1, "a", 1, decimal("12345678901.5")))))
        .isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE);
  }

  @Test
  default void failureMessages_containNoSql() {
    put(row(1, "a", 1));
    var bind = new Bindings();
    var insert = insert(List.of("id", "code", "quantity"), bind.rows(List.of(row(1, "b", 1))));
    var message = db().failure(insert, bind).publicMessage();
    assertThat(message).isNotBlank().doesNotContainIgnoringCase("insert into");
  }

  @Test
  default void textLikeSql_isStoredAsValue() {
    var evil = "'); drop table \"items\"; --\\\" ${x} ? :a {d '1'}";
    var bind = new Bindings();
    var insert =
        insert(
            List.of("id", "code", "quantity", "note"), bind.rows(List.of(row(1, "'--?", 1, evil))));
    db().affected(insert, bind);
    assertThat(items()).containsExactly(row(1, "'--?", 1, evil));
    var find = new Bindings();
    assertThat(db().column(select("items", "id").where(find.equal("note", evil)), find))
        .containsExactly(1L);
    var miss = new Bindings();
    assertThat(db().column(select("items", "id").where(miss.equal("code", "' or 1=1 --")), miss))
        .isEmpty();
  }
}
