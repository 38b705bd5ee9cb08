// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import dev.evita.testsupport.PythonProject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server conforms to its OpenAPI document for thousands of valid and invalid requests that
 * Schemathesis generates from it: no server errors, no undocumented responses, no invalid request
 * accepted.
 */
@Tag("tools")
final class SchemathesisIT {

  private static final String TABLES =
      """
      create table brands (
        id int primary key, parent_id int references brands (id), name varchar(50) not null unique);
      create table prices (
        brand_id int not null references brands (id), currency varchar(3) not null,
        amount numeric(10, 2) check (amount > 0), primary key (brand_id, currency));
      create table notes (txt varchar(20), n int);
      create view dear as select brand_id, amount from prices where amount > 50;
      insert into brands values (1, null, 'Acme'), (2, 1, 'Borg');
      insert into prices values (1, 'EUR', 95.00), (2, 'EUR', 9.00);
      create table kinds (
        id int primary key, single real, small smallint, big bigint, exact numeric(12, 2),
        truth boolean not null default true, a_day date, a_time time, moment timestamp, doc json,
      """;

  private static final String KINDS_OF_H2 =
      """
        zoned timestamp with time zone, atz time with time zone, tag uuid, bytes varbinary(20),
        words varchar(10) array, mood enum('happy', 'sad'), span interval year to month);
      insert into kinds (id, big, doc, bytes, words, mood, span) values
        (1, 9223372036854775807, json '{"a": [1]}', x'00ff', array['a', null], 'sad', interval '1-2' year to month);
      """;

  private static final String KINDS_OF_POSTGRES =
      """
        zoned timestamptz, atz timetz, tag uuid, bytes bytea, words text[], grid int[][],
        span int4range, iv interval, ip inet, cash money, made int generated always as (id) stored);
      insert into kinds (id, big, doc, bytes, words, grid, span, iv, ip, cash) values
        (1, 9223372036854775807, '{"a": [1]}', '\\x00ff', '{a,NULL}', '{{1},{2}}', '[1,5)',
        '1 day 02:03', '::1', 3.5);
      create function more(a int default 1, b text default 'x') returns text language sql immutable
        as 'select a::text || b';
      create function kinds_of(id int) returns setof kinds language sql stable
        as 'select * from kinds where kinds.id >= $1';
      create procedure forget_prices() language sql as 'delete from prices';
      """;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void server_conformsToItsDocument(String kind) throws IOException, InterruptedException {
    var python = PythonProject.install("schemathesis", "The OpenAPI document with Schemathesis");
    try (var rest = RestServer.over(kind, script(kind), Limits.DEFAULT)) {
      // What the document gives as examples is accepted; whether texts made by chance name columns
      // or contain filters, cannot be expressed.
      run(python, rest, "examples", "allow_header_conformance");
      run(python, rest, "coverage", "allow_header_conformance,positive_data_acceptance");
    }
  }

  private static String script(String kind) {
    return TABLES + (kind.equals("h2") ? KINDS_OF_H2 : KINDS_OF_POSTGRES);
  }

  /**
   * Left out is whether {@code Allow} is that of each table: it is that of all; and whether a view
   * is written, as decided by the database.
   */
  private static void run(PythonProject python, RestServer rest, String phase, String without)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.addAll(List.of(python.tool("st"), "run", rest.uri("/openapi.json").toString()));
    command.addAll(List.of("--phases", phase, "--exclude-checks", without + ",unsupported_method"));
    command.addAll(List.of("--checks", "all", "--seed", "1", "--no-shrink", "--no-color"));
    // A response without rows has no body to validate.
    command.addAll(List.of("--header", "Prefer: return=representation"));
    assertThat(python.run(command.toArray(String[]::new))).contains(" passed");
  }
}
