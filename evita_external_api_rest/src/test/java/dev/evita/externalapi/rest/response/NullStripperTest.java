// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NullStripperTest {

  private static String strip(String json) {
    var stripped = NullStripper.strip(json.getBytes(StandardCharsets.UTF_8));
    return new String(stripped, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                                   | {}",
        "null                                 | null",
        "7.50                                 | 7.50",
        "{\"a\":null}                         | {}",
        "{\"a\":null,\"b\":1}                 | {\"b\":1}",
        "{\"a\":1,\"b\":null}                 | {\"a\":1}",
        "{\"a\":1,\"b\":null,\"c\":null,\"d\":2} | {\"a\":1,\"d\":2}",
        "{\"a\":{\"b\":null},\"c\":[null,{\"d\":null},null]} | {\"a\":{},\"c\":[null,{},null]}",
        "{\"a\":[],\"b\":null,\"c\":[1,2]}    | {\"a\":[],\"c\":[1,2]}",
        "[{\"a\":null},null,{\"b\":\"null\"}] | [{},null,{\"b\":\"null\"}]",
        "{\"null\":\"n\",\"x\":null}          | {\"null\":\"n\"}",
        "{\"a,\\\"{\":\"}\\\\\",\"b\":null}   | {\"a,\\\"{\":\"}\\\\\"}",
        "{ \"a\" : null , \"b\" : [ 1 , null ] } | {\"b\":[1,null]}",
        "{\"a\":true,\"b\":false,\"n\":-1e9}  | {\"a\":true,\"b\":false,\"n\":-1e9}",
        "{\"ö\":\"😀\",\"é\":null}            | {\"ö\":\"😀\"}",
      })
  void members_thatAreNull_areLeftOut(String json, String stripped) {
    assertThat(strip(json)).isEqualTo(stripped);
  }

  @Test
  void depth_doesNotMatter() {
    var depth = 100_000;
    var json = "{\"a\":null,\"b\":".repeat(depth) + "1" + "}".repeat(depth);
    assertThat(strip(json)).isEqualTo("{\"b\":".repeat(depth) + "1" + "}".repeat(depth));
  }
}
