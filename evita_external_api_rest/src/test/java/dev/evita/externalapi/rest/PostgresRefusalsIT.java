// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PostgreSQL's errors are returned with its message, details and hint. */
final class PostgresRefusalsIT {

  private static final String SCRIPT =
      """
      create table rated (id int primary key, stars int check (stars < 6), code varchar(3));
      create function refuse(why text) returns int language plpgsql as
        $$ begin raise exception 'No: %', why using detail = 'As it is', hint = 'Ask again'; end $$;
      """;

  private static RestServer rest;

  @BeforeAll
  static void open() {
    rest = RestServer.over("postgresql", RestServer.SHOP + SCRIPT, Limits.DEFAULT);
  }

  @AfterAll
  static void close() {
    rest.close();
  }

  /** Whole rows, which contain data that the client neither sent nor requested, are omitted. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      textBlock =
          """
          /brands | {"id":1,"name":"x"} | 409 | 23505 | \
          duplicate key value violates unique constraint ~brands_pkey~ | \
          Key (id)=(1) already exists. | -
          /products | {"id":9,"name":"x","active":true,"brand_id":99} | 409 | 23503 | \
          insert or update on table ~products~ violates foreign key constraint \
          ~products_brand_id_fkey~ | Key (brand_id)=(99) is not present in table ~brands~. | -
          /brands | {"id":9} | 400 | 23502 | \
          null value in column ~name~ of relation ~brands~ violates not-null constraint | - | -
          /rated | {"id":1,"stars":6} | 400 | 23514 | \
          new row for relation ~rated~ violates check constraint ~rated_stars_check~ | - | -
          /rated | {"id":1,"code":"long"} | 400 | 22001 | \
          value too long for type character varying(3) | - | -
          /rpc/refuse | {"why":"so"} | 400 | P0001 | No: so | As it is | Ask again
          """)
  void error_hasMessageDetailsAndHint(
      String target,
      String body,
      int status,
      String code,
      String message,
      @Nullable String details,
      @Nullable String hint) {
    var answer = rest.write("POST", target, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.body())
        .endsWith(
            "\"code\":\"%s\",\"message\":%s,\"details\":%s,\"hint\":%s}"
                .formatted(code, json(message), json(details), json(hint)));
  }

  private static String json(@Nullable String text) {
    return text == null ? "null" : '"' + text.replace("~", "\\\"") + '"';
  }
}
