// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.testsupport.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of JSON: literals with variables in them, and variables by Hasura's names of the type. */
@ParameterizedClass
@ValueSource(strings = {"h2", "postgresql"})
final class JsonIT {

  @Parameter private String kind = "";
  private JdbcEngine engine;
  private Client client;

  @BeforeEach
  void open() {
    var h2 = kind.equals("h2");
    engine =
        JdbcEngine.open(
            h2 ? "jdbc:h2:mem:" + UUID.randomUUID() : PostgresServer.start().createDatabase());
    var type = h2 ? "json" : "jsonb";
    new EngineDriver(engine)
        .script("create table docs (id int primary key, data %s)".formatted(type));
    if (!h2) {
      new EngineDriver(engine)
          .script(
              "create table lists (id int primary key, data jsonb[]);"
                  + " insert into lists values (1, array['{\"k\": 1}', '\"a\"']::jsonb[])");
    }
    engine.refresh();
    client = new Client(engine);
  }

  @AfterEach
  void close() {
    client.close();
    engine.close();
  }

  private static Object tree(String json) {
    return JsonTree.parse(json.getBytes(StandardCharsets.UTF_8));
  }

  /** The result of one field, regardless of the order of members in JSON. */
  private void requireAnswer(String document, String variables, String expected) {
    assertThat(tree(client.ask(document, variables)))
        .as(document)
        .isEqualTo(tree("{\"data\":" + expected.replace('\'', '"') + "}"));
  }

  private void insert(int id, String data) {
    requireAnswer(
        "mutation($id: Int!, $data: json) { insert_docs_one(object: {id: $id, data: $data}) { id } }",
        "{\"id\": %d, \"data\": %s}".formatted(id, data.replace('\'', '"')),
        "{'insert_docs_one':{'id':" + id + "}}");
  }

  /** A variable's type is of no concern there, and it is put in as the request gives it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$k: String                | {'k':'x y'}          | {k: $k}            | {'k':'x y'}",
        "$k: Int!                  | {'k':5}              | {k: $k, l: 6}      | {'k':5,'l':6}",
        "$k: bigint!               | {'k':'5'}            | {k: $k}            | {'k':'5'}",
        "$k: Boolean               | {'k':true}           | [$k, [$k], {a: $k}] | [true,[true],{'a':true}]",
        "$k: json                  | {'k':{'a':[1,null]}} | {k: $k}            | {'k':{'a':[1,null]}}",
        "$k: json                  | {'k':'text'}         | {k: {k: $k}}       | {'k':{'k':'text'}}",
        "$k: [Int!]                | {'k':[1,2]}          | {k: $k}            | {'k':[1,2]}",
        "$k: docs_bool_exp         | {'k':{'id':{'_eq':1}}} | {k: $k}          | {'k':{'id':{'_eq':1}}}",
        "$k: order_by              | {'k':'asc'}          | {k: $k}            | {'k':'asc'}",
        "$k: timestamptz           | {'k':'2026-01-31T10:00:00+02:00'} | [$k]  | ['2026-01-31T10:00:00+02:00']",
        "$k: String                | {'k':null}           | {k: $k, l: [$k]}   | {'k':null,'l':[null]}",
        "$k: String                | {}                   | {k: $k, l: [$k]}   | {'k':null,'l':[null]}",
        "$k: String = \"d\"        | {}                   | {k: $k}            | {'k':'d'}",
        "$k: json = {a: [1]}       | {}                   | {k: $k}            | {'k':{'a':[1]}}",
        "$k: Int, $l: Int          | {'k':1,'l':2}        | {k: $k, l: $l, m: [$l, $k]} | {'k':1,'l':2,'m':[2,1]}",
      })
  void literal_withVariables_isStored(
      String declared, String variables, String literal, String stored) {
    insert(1, "null");
    var given = variables.replace('\'', '"');
    var expected = stored.replace('\'', '"');
    requireAnswer(
        "mutation(%s) { insert_docs_one(object: {id: 2, data: %s}) { data } }"
            .formatted(declared, literal),
        given,
        "{\"insert_docs_one\":{\"data\":" + expected + "}}");
    requireAnswer(
        "mutation(%s) { update_docs_by_pk(pk_columns: {id: 1}, _set: {data: %s}) { data } }"
            .formatted(declared, literal),
        given,
        "{\"update_docs_by_pk\":{\"data\":" + expected + "}}");
  }

  @Test
  void literal_withVariables_isFilledAnewForEachRequest() {
    for (var text : new String[] {"a", "b", "a"}) {
      requireAnswer(
          "mutation($k: String!) { delete_docs(where: {}) { affected_rows }"
              + " insert_docs_one(object: {id: 2, data: {k: $k}}) { data } }",
          "{\"k\": \"" + text + "\"}",
          "{'delete_docs':{'affected_rows':%d},'insert_docs_one':{'data':{'k':'%s'}}}"
              .formatted(client.ask("{ docs { id } }").contains("2") ? 1 : 0, text));
    }
  }

  @Test
  void filter_withVariablesInItsLiteral_findsRows() {
    if (!kind.equals("postgresql")) {
      return; // others compare no JSON by what it contains
    }
    insert(1, "{'k':'a','n':1}");
    insert(2, "{'k':'b','n':1}");
    insert(3, "{'k':null}");
    var document =
        "query($k: String, $n: Int = 1)"
            + " { docs(where: {data: {_contains: {k: $k, n: $n}}}) { id } }";
    requireAnswer(document, "{\"k\": \"a\"}", "{'docs':[{'id':1}]}");
    requireAnswer(document, "{\"k\": \"b\"}", "{'docs':[{'id':2}]}");
    requireAnswer(document, "{\"k\": \"b\", \"n\": 2}", "{'docs':[]}");
    var alone = "query($k: String) { docs(where: {data: {_contains: {k: $k}}}) { id } }";
    requireAnswer(alone, "{}", "{'docs':[{'id':3}]}");
    requireAnswer(
        "query($k: String) { docs(where: {_not: {data: {_contains: {k: $k}}}}, order_by: {id: asc})"
            + " { id } }",
        "{\"k\": \"a\"}",
        "{'docs':[{'id':2},{'id':3}]}");
    requireAnswer(
        "mutation($k: String) { delete_docs(where: {data: {_contains: {k: $k}}}) { affected_rows } }",
        "{\"k\": \"a\"}",
        "{'delete_docs':{'affected_rows':1}}");
  }

  /** Hasura calls the type by the database's names, which stored documents have. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "query($x: jsonb) { docs(where: {data: {_eq: $x}}) { id } }",
        "query($x: json) { docs(where: {data: {_eq: $x}}) { id } }",
        "query($x: jsonb!) { docs(where: {data: {_eq: $x}}) { id } }",
        "query($x: jsonb = {k: 2}) { docs(where: {data: {_eq: $x}}) { id } }",
        "query($n: Int, $x: jsonb!) { docs(where: {data: {_eq: $x}}, limit: $n) { ...Id } }"
            + " fragment Id on docs { id }",
        "query($x: jsonb) { docs(where: {_not: {data: {_neq: $x}}}) { id } }",
      })
  void variable_ofATypeByHasurasName_isTaken(String document) {
    insert(1, "{'k':1}");
    requireAnswer(document, "{\"x\": {\"k\": 1}}", "{'docs':[{'id':1}]}");
  }

  @Test
  void variable_ofAComparisonByHasurasName_isTaken() {
    insert(1, "{'k':1}");
    requireAnswer(
        "query($x: jsonb_comparison_exp!) { docs(where: {data: $x}) { id } }",
        "{\"x\": {\"_eq\": {\"k\": 1}}}",
        "{'docs':[{'id':1}]}");
  }

  @Test
  void variable_ofAListByHasurasName_isTaken() {
    if (kind.equals("h2")) {
      return; // has no arrays of JSON here
    }
    requireAnswer(
        "query($x: [jsonb!]!) { lists(where: {data: {_eq: $x}}) { id } }",
        "{\"x\": [{\"k\": 1}, \"a\"]}",
        "{'lists':[{'id':1}]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "query($x: jsonbx) { docs(where: {data: {_eq: $x}}) { id } }   | Unknown type 'jsonbx'",
        "query($x: jsonb) { docs(limit: $x) { id } }                   | 'json'",
        "query($x: tables) { docs(where: {data: {_eq: $x}}) { id } }   | Unknown type 'tables'",
      })
  void variable_ofAnotherType_isRefused(String document, String message) {
    assertThat(client.ask(document)).contains("INVALID_DOCUMENT", message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "query { docs(where: {data: {_eq: {k: $no}}}) { id } }                  | INVALID_DOCUMENT",
        "query($k: Int) { docs(where: {id: {_eq: {k: $k}}}) { id } }            | INVALID_VALUE",
        "query($k: Int) { docs(where: {id: {_in: [{k: $k}]}}) { id } }          | INVALID_VALUE",
        "query($k: Int!) { docs(where: {data: {_eq: {k: $k}}}) { id } }         | INVALID_VALUE",
        "query($k: json = {a: $k}) { docs(where: {data: {_eq: $k}}) { id } }    | INVALID_DOCUMENT",
        "query($k: nothing) { docs(where: {data: {_eq: {k: $k}}}) { id } }      | INVALID_DOCUMENT",
      })
  void literal_withAnInvalidVariable_isRejected(String document, String code) {
    assertThat(client.ask(document)).contains("\"code\":\"" + code + "\"");
  }
}
