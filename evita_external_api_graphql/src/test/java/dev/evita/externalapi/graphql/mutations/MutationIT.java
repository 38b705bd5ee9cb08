// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.MutationDatabase;
import dev.evita.externalapi.graphql.plan.OracleIT;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Inserts, updates and deletes in Hasura's dialect, over all databases. */
@ParameterizedClass
@EnumSource(MutationDatabase.class)
final class MutationIT {

  private final Engine engine;
  private final Client client;

  MutationIT(MutationDatabase database) {
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

  @Test
  void insert_ofSeveral_returnsThemWithRelatedRows() {
    answers(
        """
        mutation {
          insert_products(objects: [
            {id: 10, name: "Saw", price: 7.25, brand_id: 2}
            {id: 11, name: "Nail", price: 0.1, brand_id: 2}
          ]) {
            affected_rows
            returning { id stock brand { name products_aggregate { aggregate { count } } } }
            ids: returning { i: id __typename }
            __typename
          }
        }
        """,
        """
        {"insert_products": {
          "affected_rows": 2,
          "returning": [
            {"id": 10, "stock": 7, "brand": {"name": "Borg", "products_aggregate": {"aggregate": {"count": 2}}}},
            {"id": 11, "stock": 7, "brand": {"name": "Borg", "products_aggregate": {"aggregate": {"count": 2}}}}],
          "ids": [{"i": 10, "__typename": "products"}, {"i": 11, "__typename": "products"}],
          "__typename": "products_mutation_response"}}
        """);
    answers(
        "{ products_aggregate { aggregate { count } } }",
        "{\"products_aggregate\": {\"aggregate\": {\"count\": 4}}}");
  }

  @Test
  void insert_ofObjectsOfDifferentColumns_distinguishesNullFromAbsent() {
    answers(
        """
        mutation($name: String, $absent: String) {
          insert_products(objects: [
            {id: 10, stock: 1, name: $name}
            {id: 11, name: null, note: $absent}
            {id: 12}
          ]) { affected_rows returning { id stock name note brand { id } } }
        }
        """,
        "{\"name\": \"x\"}",
        """
        {"insert_products": {"affected_rows": 3, "returning": [
          {"id": 10, "stock": 1, "name": "x", "note": null, "brand": null},
          {"id": 11, "stock": 7, "name": null, "note": null, "brand": null},
          {"id": 12, "stock": 7, "name": null, "note": null, "brand": null}]}}
        """);
  }

  @Test
  void insert_ofVariables_takesObjectsAndLists() {
    answers(
        """
        mutation($objects: [products_insert_input!]!, $one: brands_insert_input!) {
          insert_products(objects: $objects) { affected_rows }
          insert_brands_one(object: $one) { id name }
        }
        """,
        """
        {"objects": [{"id": 20, "name": "a"}, {"id": 21, "price": "12.25"}],
         "one": {"id": 9, "name": "Nine"}}
        """,
        """
        {"insert_products": {"affected_rows": 2}, "insert_brands_one": {"id": 9, "name": "Nine"}}
        """);
  }

  @Test
  void insert_ofNothing_changesNothing() {
    answers(
        "mutation { insert_products(objects: []) { affected_rows returning { id brand { id } } } }",
        "{\"insert_products\": {\"affected_rows\": 0, \"returning\": []}}");
  }

  @Test
  void update_setsAndIncrements() {
    answers(
        """
        mutation {
          update_products(where: {brand: {name: {_eq: "Acme"}}}, _set: {name: "x"}, _inc: {stock: 3, price: -1.5}) {
            affected_rows
            returning { id name stock price prices(order_by: {currency: desc}, limit: 1) { currency } }
          }
        }
        """,
        """
        {"update_products": {"affected_rows": 2, "returning": [
          {"id": 1, "name": "x", "stock": 10, "price": 11.00, "prices": [{"currency": "USD"}]},
          {"id": 2, "name": "x", "stock": 10, "price": 1.50, "prices": [{"currency": "EUR"}]}]}}
        """);
  }

  @Test
  void update_byVariables_setsNullAndLeavesAbsent() {
    var document =
        """
        mutation($name: String, $note: String, $set: products_set_input) {
          a: update_products_by_pk(pk_columns: {id: 1}, _set: {name: $name, note: $note}) { name note }
          b: update_products_by_pk(pk_columns: {id: 2}, _set: $set) { name note }
        }
        """;
    answers(
        document,
        "{\"name\": null, \"set\": {\"name\": \"Twine\"}}",
        "{\"a\": {\"name\": null, \"note\": null}, \"b\": {\"name\": \"Twine\", \"note\": null}}");
    answers(
        document,
        "{\"name\": \"Y\", \"note\": \"n\", \"set\": {\"note\": \"m\"}}",
        "{\"a\": {\"name\": \"Y\", \"note\": \"n\"}, \"b\": {\"name\": \"Twine\", \"note\": \"m\"}}");
    answers(
        "mutation { update_products_by_pk(pk_columns: {id: 99}, _set: {name: \"Z\"}) { id } }",
        "{\"update_products_by_pk\": null}");
  }

  @Test
  void updateMany_updatesInOrder() {
    var answer =
        """
        {"update_products_many": [
          {"affected_rows": 1, "returning": [{"id": 1, "stock": 8}]},
          {"affected_rows": 1, "returning": [{"id": 1, "stock": 0}]},
          {"affected_rows": 0, "returning": []}]}
        """;
    answers(
        """
        mutation {
          update_products_many(updates: [
            {where: {id: {_eq: 1}}, _inc: {stock: 1}}
            {where: {id: {_eq: 1}}, _set: {stock: 0}}
            {where: {id: {_eq: 99}}, _set: {stock: 1}}
          ]) { affected_rows returning { id stock } }
        }
        """,
        answer);
    answers(
        """
        mutation($updates: [products_updates!]!) {
          update_products_many(updates: $updates) { affected_rows }
        }
        """,
        "{\"updates\": [{\"where\": {\"id\": {\"_in\": [1, 2]}}, \"_set\": {\"name\": null}}]}",
        "{\"update_products_many\": [{\"affected_rows\": 2}]}");
  }

  @Test
  void delete_returnsDeletedRowsAndTheirRelatedRows() {
    answers(
        """
        mutation {
          delete_prices(where: {amount: {_gt: 10}}) {
            affected_rows
            returning { currency product { name prices_aggregate { aggregate { count } } } }
          }
          delete_products_by_pk(id: 99) { id }
          delete_prices_by_pk(product_id: 2, currency: "EUR") { amount product { id } }
          rest: delete_products(where: {id: {_eq: 2}}) { affected_rows returning { name } }
        }
        """,
        """
        {"delete_prices": {"affected_rows": 2, "returning": [
           {"currency": "EUR", "product": {"name": "Anvil", "prices_aggregate": {"aggregate": {"count": 2}}}},
           {"currency": "USD", "product": {"name": "Anvil", "prices_aggregate": {"aggregate": {"count": 2}}}}]},
         "delete_products_by_pk": null,
         "delete_prices_by_pk": {"amount": 3.00, "product": {"id": 2}},
         "rest": {"affected_rows": 1, "returning": [{"name": "Rope"}]}}
        """);
  }

  @Test
  void fieldsOfAMutation_runInOrderAndSeeEachOther() {
    answers(
        """
        mutation {
          __typename
          a: update_products(where: {id: {_eq: 1}}, _inc: {stock: 1}) { returning { stock } }
          b: update_products(where: {stock: {_eq: 8}}, _inc: {stock: 1}) { returning { stock } }
          c: delete_prices(where: {product_id: {_eq: 1}}) { affected_rows }
          d: delete_products_by_pk(id: 1) { stock }
        }
        """,
        """
        {"__typename": "mutation_root", "a": {"returning": [{"stock": 8}]},
         "b": {"returning": [{"stock": 9}]}, "c": {"affected_rows": 2}, "d": {"stock": 9}}
        """);
  }

  @Test
  void insert_intoATableWithoutKey_andDelete() {
    answers(
        """
        mutation {
          insert_log(objects: [{text: "a"}, {text: "b"}]) { affected_rows returning { text } }
          insert_log_one(object: {text: "c"}) { text }
          delete_log(where: {text: {_neq: "b"}}) { affected_rows }
        }
        """,
        """
        {"insert_log": {"affected_rows": 2, "returning": [{"text": "a"}, {"text": "b"}]},
         "insert_log_one": {"text": "c"}, "delete_log": {"affected_rows": 2}}
        """);
  }

  @Test
  void names_thatAreKeywordsOrForeign_areWritten() {
    answers(
        """
        mutation {
          insert_select(objects: {gr__e: 1, order_by: "a", true_2: 5}, on_conflict: {constraint: select_pkey, update_columns: order_by}) {
            affected_rows returning { gr__e order_by true_2 doubled }
          }
          update_select_by_pk(pk_columns: {gr__e: 1}, _set: {gr__e: 4}, _inc: {true_2: 1}) { gr__e true_2 doubled }
        }
        """,
        """
        {"insert_select": {"affected_rows": 1, "returning": [{"gr__e": 1, "order_by": "a", "true_2": 5, "doubled": 2}]},
         "update_select_by_pk": {"gr__e": 4, "true_2": 6, "doubled": 8}}
        """);
  }
}
