// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.MutationDatabase;
import dev.evita.externalapi.graphql.plan.OracleIT;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of several tables in one insert, and conflicts, over all databases. */
@ParameterizedClass
@EnumSource(MutationDatabase.class)
final class NestedInsertIT {

  private final Engine engine;
  private final Client client;

  NestedInsertIT(MutationDatabase database) {
    this.engine = database.open();
    this.client = new Client(engine);
  }

  @AfterEach
  void close() {
    client.close();
    engine.close();
  }

  private void answers(String document, String data) {
    answers(document, "{}", data);
  }

  private void answers(String document, String variables, String data) {
    assertThat(OracleIT.canonical(OracleIT.parse(client.ask(document, variables))))
        .isEqualTo(OracleIT.canonical(OracleIT.parse("{\"data\":" + data + "}")));
  }

  private void fails(String document, String code, String message) {
    assertThat(client.ask(document)).contains("\"" + code + "\"").contains(message);
  }

  @Test
  void parentsAndChildren_threeLevelsDeep_withKeysOfTheDatabase() {
    answers(
        """
        mutation {
          insert_orders(objects: [
            {customer: "Ann", order_lines: {data: [
              {text: "a1", line_notes: {data: [{note: "x"}, {note: "y"}]}}
              {text: "a2"}]}}
            {customer: "Bob"}
            {customer: "Cid", total: 3, order_lines: {data: {text: "c1", line_notes: {data: {note: "z"}}}}}
          ]) {
            affected_rows
            returning {
              customer total
              order_lines(order_by: {text: asc}) { text line_notes(order_by: {note: desc}) { note } }
              order_lines_aggregate { aggregate { count } }
            }
          }
        }
        """,
        """
        {"insert_orders": {"affected_rows": 9, "returning": [
          {"customer": "Ann", "total": null, "order_lines": [
            {"text": "a1", "line_notes": [{"note": "y"}, {"note": "x"}]}, {"text": "a2", "line_notes": []}],
            "order_lines_aggregate": {"aggregate": {"count": 2}}},
          {"customer": "Bob", "total": null, "order_lines": [],
            "order_lines_aggregate": {"aggregate": {"count": 0}}},
          {"customer": "Cid", "total": 3, "order_lines": [
            {"text": "c1", "line_notes": [{"note": "z"}]}],
            "order_lines_aggregate": {"aggregate": {"count": 1}}}]}}
        """);
  }

  @Test
  void objectsOfARelationship_areInsertedFirst() {
    answers(
        """
        mutation {
          insert_line_notes_one(object: {
            note: "n", line: {data: {text: "t", order: {data: {customer: "Dan"}}}}
          }) { note line { text order { customer } } }
          insert_products(objects: [
            {id: 30, brand: {data: {id: 5, name: "Five"}}, prices: {data: [{currency: "EUR", amount: 1}, {currency: "CZK", amount: 25}]}}
            {id: 31, brand_id: 1, prices: {data: [{currency: "EUR", amount: 2}]}}
          ]) { affected_rows returning { id brand { name } prices_aggregate { aggregate { sum { amount } } } } }
        }
        """,
        """
        {"insert_line_notes_one": {"note": "n", "line": {"text": "t", "order": {"customer": "Dan"}}},
         "insert_products": {"affected_rows": 6, "returning": [
           {"id": 30, "brand": {"name": "Five"}, "prices_aggregate": {"aggregate": {"sum": {"amount": 26.00}}}},
           {"id": 31, "brand": {"name": "Acme"}, "prices_aggregate": {"aggregate": {"sum": {"amount": 2.00}}}}]}}
        """);
  }

  @Test
  void nestedInserts_asVariables_inWholeAndInPart() {
    answers(
        """
        mutation($brand: brands_obj_rel_insert_input, $prices: [prices_insert_input!]!, $all: [products_insert_input!]!) {
          a: insert_products_one(object: {id: 40, brand: $brand, prices: {data: $prices}}) { brand { name } prices { currency } }
          b: insert_products(objects: $all) { affected_rows returning { id brand { id } prices { amount } } }
        }
        """,
        """
        {"brand": {"data": {"id": 7, "name": "Seven"}}, "prices": [{"currency": "EUR", "amount": 1}],
         "all": [
           {"id": 41, "brand": {"data": {"id": 8, "name": "Eight"}}, "prices": {"data": [{"currency": "EUR", "amount": "3.5"}]}},
           {"id": 42, "brand": null, "prices": null}]}
        """,
        """
        {"a": {"brand": {"name": "Seven"}, "prices": [{"currency": "EUR"}]},
         "b": {"affected_rows": 4, "returning": [
           {"id": 41, "brand": {"id": 8}, "prices": [{"amount": 3.50}]}, {"id": 42, "brand": null, "prices": []}]}}
        """);
  }

  @Test
  void selfReferences_workInBothDirections() {
    answers(
        """
        mutation {
          insert_staff(objects: [{
            id: 2, name: "Mid", boss: {data: {id: 1, name: "Top"}},
            staff: {data: [{id: 3, name: "Low"}, {id: 4, name: "Lower", staff: {data: {id: 5, name: "Lowest"}}}]}
          }]) { affected_rows returning { name boss { name } staff(order_by: {id: asc}) { name staff { name } } } }
        }
        """,
        """
        {"insert_staff": {"affected_rows": 5, "returning": [{"name": "Mid", "boss": {"name": "Top"}, "staff": [
          {"name": "Low", "staff": []}, {"name": "Lower", "staff": [{"name": "Lowest"}]}]}]}}
        """);
  }

  @Test
  void oneToOne_fromTheSideWithoutTheKey_isInsertedAfter() {
    answers(
        """
        mutation {
          insert_staff_one(object: {id: 1, name: "A", passports: {data: {number: "P1"}}}) { name passports { number } }
          insert_passports_one(object: {number: "P2", staff: {data: {id: 2, name: "B"}}}) { staff_id staff { name } }
        }
        """,
        """
        {"insert_staff_one": {"name": "A", "passports": {"number": "P1"}},
         "insert_passports_one": {"staff_id": 2, "staff": {"name": "B"}}}
        """);
  }

  @Test
  void compositeKeys_linkAndAreReadAgain() {
    var objects =
        IntStream.range(0, 70)
            .mapToObj(i ->
                "{id: %d, region: \"r%d\", tenant_users: {data: {id: %d}}}"
                    .formatted(i / 7, i % 7, i))
            .collect(Collectors.joining(" "));
    var answer =
        client.ask(
            "mutation { insert_tenants(objects: ["
                + objects
                + "]) { affected_rows returning { id region tenant_users { id } } } }");
    assertThat(answer).contains("\"affected_rows\":140").doesNotContain("errors");
    for (int i = 0; i < 70; i++) {
      assertThat(answer)
          .contains(
              "{\"id\":%d,\"region\":\"r%d\",\"tenant_users\":[{\"id\":%d}]}"
                  .formatted(i / 7, i % 7, i));
    }
    answers(
        """
        mutation {
          insert_tenant_users_one(object: {id: 100, tenants: {data: {id: 50, region: "eu", name: "T"}}}) {
            tenant_region tenants { name }
          }
          update_tenants_by_pk(pk_columns: {id: 0, region: "r1"}, _set: {name: "new"}) { name }
        }
        """,
        """
        {"insert_tenant_users_one": {"tenant_region": "eu", "tenants": {"name": "T"}},
         "update_tenants_by_pk": {"name": "new"}}
        """);
  }

  @Test
  void conflict_updatesTheColumnsThatAreNamed() {
    answers(
        """
        mutation {
          insert_brands(
            objects: [{id: 1, name: "New", code: "N"}, {id: 9, name: "Nine", code: "9"}]
            on_conflict: {constraint: brands_pkey, update_columns: [name]}
          ) { affected_rows returning { id name code } }
          again: insert_brands_one(
            object: {id: 77, name: "By code", code: "9"}
            on_conflict: {constraint: brands_code_key, update_columns: [name]}
          ) { id name }
        }
        """,
        """
        {"insert_brands": {"affected_rows": 2, "returning": [
          {"id": 1, "name": "New", "code": "ACM"}, {"id": 9, "name": "Nine", "code": "9"}]},
         "again": {"id": 9, "name": "By code"}}
        """);
  }

  @Test
  void conflict_withoutColumns_leavesTheRow() {
    answers(
        """
        mutation {
          insert_brands(objects: [{id: 1, name: "New"}, {id: 9, name: "Nine"}], on_conflict: {constraint: brands_pkey}) {
            affected_rows returning { id name }
          }
          insert_brands_one(object: {id: 1, name: "New"}, on_conflict: {constraint: brands_pkey, update_columns: []}) { id }
        }
        """,
        """
        {"insert_brands": {"affected_rows": 1, "returning": [{"id": 9, "name": "Nine"}]}, "insert_brands_one": null}
        """);
  }

  @Test
  void conflict_setsColumnsThatAreNotGiven_toNull() {
    answers(
        """
        mutation {
          insert_brands_one(
            object: {id: 1, name: "New"}, on_conflict: {constraint: brands_pkey, update_columns: [name, code]}
          ) { name code }
        }
        """,
        "{\"insert_brands_one\": {\"name\": \"New\", \"code\": null}}");
    fails(
        """
        mutation {
          insert_products_one(
            object: {id: 1}, on_conflict: {constraint: products_pkey, update_columns: [stock]}
          ) { id }
        }
        """,
        "INVALID_VALUE",
        "object: update_columns names 'stock', which has a default; give its value");
  }

  @Test
  void conflict_ofNestedRows_linksToTheRowThatExists() {
    answers(
        """
        mutation($on: brands_on_conflict) {
          insert_products(objects: [
            {id: 50, brand: {data: {id: 1, name: "New"}, on_conflict: {constraint: brands_pkey, update_columns: [name]}}}
            {id: 51, brand: {data: {id: 99, name: "Other", code: "ACM"}, on_conflict: {constraint: brands_code_key, update_columns: [code]}}}
            {id: 52, brand: {data: {id: 2, name: "kept as it is"}, on_conflict: $on}}
          ]) { affected_rows returning { id brand { id name } } }
        }
        """,
        "{\"on\": {\"constraint\": \"brands_pkey\"}}",
        """
        {"insert_products": {"affected_rows": 5, "returning": [
          {"id": 50, "brand": {"id": 1, "name": "New"}}, {"id": 51, "brand": {"id": 1, "name": "New"}},
          {"id": 52, "brand": {"id": 2, "name": "Borg"}}]}}
        """);
    fails(
        """
        mutation {
          insert_products_one(object: {id: 60, brand: {
            data: {id: 99, name: "x", code: "ACM"}, on_conflict: {constraint: brands_code_key}}}) { id }
        }
        """,
        "UNIQUE_VIOLATION",
        "object.brand.data: a row with this key exists");
    answers("{ products_by_pk(id: 60) { id } }", "{\"products_by_pk\": null}");
  }

  @Test
  void conflict_ofRowsWithChildren_returnsTheWrittenOnes() {
    answers(
        """
        mutation {
          insert_products(
            objects: [
              {id: 1, name: "again", prices: {data: {currency: "JPY", amount: 9}}}
              {id: 70, name: "first", prices: {data: {currency: "JPY", amount: 8}}}]
            on_conflict: {constraint: products_pkey, update_columns: [name]}
          ) { affected_rows returning { id name prices(where: {currency: {_eq: "JPY"}}) { amount } } }
        }
        """,
        """
        {"insert_products": {"affected_rows": 4, "returning": [
          {"id": 1, "name": "again", "prices": [{"amount": 9.00}]}, {"id": 70, "name": "first", "prices": [{"amount": 8.00}]}]}}
        """);
  }

  @Test
  void valueThatARelationshipDetermines_cannotBeGiven() {
    fails(
        "mutation { insert_products_one(object: {id: 80, brand_id: 1, brand: {data: {id: 80, name: \"x\"}}}) { id } }",
        "INVALID_VALUE",
        "object.brand_id: its value comes from a relationship as well; leave one of them out");
    fails(
        "mutation { insert_brands_one(object: {id: 80, name: \"x\", products: {data: {id: 1, brand_id: 1}}}) { id } }",
        "INVALID_VALUE",
        "object.products.data[0].brand_id: its value");
  }

  @Test
  void manyParentsWithKeys_takeOneStatementForEachLevel() {
    var objects =
        IntStream.range(100, 300)
            .mapToObj(i ->
                "{id: %1$d, brand: {data: {id: %1$d, name: \"b\"}}, prices: {data: [{currency: \"EUR\", amount: 1}, {currency: \"USD\", amount: 1}]}}"
                    .formatted(i))
            .collect(Collectors.joining(" "));
    answers(
        "mutation { insert_products(objects: [" + objects + "]) { affected_rows } }",
        "{\"insert_products\": {\"affected_rows\": 800}}");
  }
}
