// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays that come as texts, as PostgreSQL and Hasura write them. */
@ParameterizedClass
@ValueSource(strings = {"h2", "postgresql"})
final class ArrayIT {

  @Parameter private String kind = "";
  private JdbcEngine engine;
  private Client client;

  @BeforeEach
  void open() {
    var h2 = kind.equals("h2");
    engine =
        JdbcEngine.open(
            h2 ? "jdbc:h2:mem:" + UUID.randomUUID() : PostgresServer.start().createDatabase());
    new EngineDriver(engine)
        .script(
            """
            create table notes (
              id int primary key, name varchar(20), tags %1$s, numbers %2$s, large %3$s);
            insert into notes (id, name) values (1, '{a,b}');
            """
                .formatted(
                    h2 ? "varchar(20) array" : "text[]",
                    h2 ? "int array" : "int[]",
                    h2 ? "bigint array" : "bigint[]"));
    engine.refresh();
    client = new Client(engine);
  }

  @AfterEach
  void close() {
    client.close();
    engine.close();
  }

  private void requireAnswer(String document, String variables, String expected) {
    assertThat(client.ask(document, variables.replace('\'', '"')))
        .isEqualTo("{\"data\":" + expected.replace('\'', '"') + "}");
  }

  /** Declared variables, their values, the objects of an insert, and the stored values. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      value = {
        "``                      | {}                              | tags: \"{a,b}\"          | 'tags':['a','b']",
        "``                      | {}                              | tags: \"{}\"             | 'tags':[]",
        "``                      | {}                              | tags: \" {a, \\\"b, c\\\",NULL}\" | 'tags':['a','b, c',null]",
        "``                      | {}                              | tags: [\"{a,b}\"]        | 'tags':['{a,b}']",
        "``                      | {}                              | tags: \"a\"              | 'tags':['a']",
        "``                      | {}                              | large: \"{1,-2}\"        | 'large':[1,-2]",
        "$x: [String]            | {'x':'{a,b}'}                   | tags: $x                 | 'tags':['a','b']",
        "$x: [String!]           | {'x':'{a,b}'}                   | tags: $x                 | 'tags':['a','b']",
        "$x: [String!]!          | {'x':['{a,b}']}                 | tags: $x                 | 'tags':['{a,b}']",
        "$x: [String!] = \"{c}\" | {}                              | tags: $x                 | 'tags':['c']",
        "$x: [String!]           | {'x':null}                      | tags: $x                 | 'tags':null",
        "$x: [String!]           | {}                              | tags: $x                 | 'tags':null",
        "$x: String              | {'x':'{a,b}'}                   | tags: [$x]               | 'tags':['{a,b}']",
        "$x: [Int]               | {'x':'{1,2,null}'}              | numbers: $x              | 'numbers':[1,2,null]",
        "$x: [bigint!]           | {'x':'{9223372036854775807}'}   | large: $x                | 'large':[9223372036854775807]",
      })
  void insert_ofAnArrayAsText_storesItsElements(
      String declared, String variables, String members, String stored) {
    var field = stored.substring(1, stored.indexOf('\'', 1));
    requireAnswer(
        "mutation(%s) { insert_notes_one(object: {id: $id, %s}) { %s } }"
            .formatted("$id: Int! = 2 " + declared, members, field),
        variables,
        "{'insert_notes_one':{" + stored + "}}");
  }

  @Test
  void insert_ofAnArrayInAnObject_storesItsElements() {
    requireAnswer(
        "mutation($o: notes_insert_input!) { insert_notes_one(object: $o) { tags numbers } }",
        "{'o':{'id':2,'tags':'{a,b}','numbers':'{1,2}'}}",
        "{'insert_notes_one':{'tags':['a','b'],'numbers':[1,2]}}");
  }

  @Test
  void update_toAnArrayAsText_storesItsElements() {
    requireAnswer(
        "mutation($x: [String!]) { update_notes(where: {}, _set: {tags: $x}) { returning { tags } } }",
        "{'x':'{a,b}'}",
        "{'update_notes':{'returning':[{'tags':['a','b']}]}}");
  }

  @Test
  void filter_byAnArrayAsText_findsRows() {
    client.ask(
        "mutation { update_notes(where: {}, _set: {tags: [\"a\", \"b\"]}) { affected_rows } }");
    for (var operator : new String[] {"_eq", "_contains", "_contained_in"}) {
      var document = "query($x: [String!]) { notes(where: {tags: {" + operator + ": $x}}) { id } }";
      requireAnswer(document, "{'x':'{a,b}'}", "{'notes':[{'id':1}]}");
      requireAnswer(document, "{'x':['a','b']}", "{'notes':[{'id':1}]}");
      requireAnswer(
          document,
          "{'x':'{}'}",
          operator.equals("_contains") ? "{'notes':[{'id':1}]}" : "{'notes':[]}");
    }
  }

  /** There, a text in braces is one value, of a list that is no array. */
  @Test
  void filter_byAListOfTexts_takesTextsAsTheyAre() {
    var document = "query($x: [String!]) { notes(where: {name: {_in: $x}}) { id } }";
    requireAnswer(document, "{'x':'{a,b}'}", "{'notes':[{'id':1}]}");
    requireAnswer(
        "{ notes(where: {name: {_in: \"{a,b}\"}}) { id } }", "{}", "{'notes':[{'id':1}]}");
    requireAnswer(
        "{ notes(where: {name: {_eq: \"{a,b}\"}}) { id } }", "{}", "{'notes':[{'id':1}]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "query { notes(where: {tags: {_eq: \"{a\"}}) { id } }      | {} | where.tags._eq: '{a' is not valid here",
        "query { notes(where: {large: {_eq: \"{x}\"}}) { id } }    | {} | expected an integer",
        "query($x: [Int]) { notes(where: {numbers: {_eq: $x}}) { id } } | {'x':'{x}'} | $x: 'x' is not valid here",
        "query($x: [Int!]) { notes(where: {numbers: {_eq: $x}}) { id } } | {'x':'{1'} | $x: '{1' is not valid here",
        "query($x: [Int!]) { notes(where: {id: {_in: $x}}) { id } } | {'x':'{1,null}'} | $x: null is not valid here",
      })
  void text_thatIsNoArray_isRejected(String document, String variables, String message) {
    assertThat(client.ask(document, variables.replace('\'', '"')))
        .contains("\"code\":\"INVALID_VALUE\"", message);
  }
}
