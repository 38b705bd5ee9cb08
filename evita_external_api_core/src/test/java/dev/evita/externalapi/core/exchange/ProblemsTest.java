// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.error.HttpStatuses;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.work.FaultLog;
import dev.evita.http.HttpFault;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ProblemsTest {

  static Stream<EvitaException.Code> codes() {
    return Stream.concat(Stream.of(ErrorCode.values()), Stream.of(HttpErrorCode.values()));
  }

  @ParameterizedTest
  @MethodSource("codes")
  void code_each_hasAStatusWithATitle(EvitaException.Code code) {
    var status = HttpStatuses.of(code);
    assertThat(status).isBetween(400, 599);
    switch (code.category()) {
      case USER -> assertThat(status).isLessThan(500);
      case INTERNAL -> assertThat(status).isEqualTo(500);
      case RESOURCES -> assertThat(status).isIn(503, 504);
      case EXTERNAL -> assertThat(status).isNotEqualTo(200);
    }
    if (code != ErrorCode.CLIENT_GONE) {
      assertThat(HttpFault.reason(status)).isNotEqualTo("Error");
    }
  }

  @ParameterizedTest
  @CsvSource({"USER, 400", "EXTERNAL, 500", "RESOURCES, 503", "INTERNAL, 500"})
  void code_ofAnEngine_hasTheStatusOfItsCategory(ErrorCode.Category category, int status) {
    var code =
        new EvitaException.Code() {
          @Override
          public String name() {
            return "SHARD_LOST";
          }

          @Override
          public ErrorCode.Category category() {
            return category;
          }
        };
    assertThat(HttpStatuses.of(code)).isEqualTo(status);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void document_eachCode_containsMessageUnlessInternal(EvitaException.Code code) {
    var problem = new FaultLog(System::nanoTime).report(new EvitaException(code, "The \"reason\""));
    var json = new JsonWriter(new byte[256]);
    Problems.write(json, HttpStatuses.of(code), problem);
    var text = new String(json.buffer(), 0, json.position(), StandardCharsets.UTF_8);
    assertThat(text)
        .startsWith("{\"type\":\"about:blank\",\"title\":\"")
        .contains(",\"status\":" + HttpStatuses.of(code) + ",");
    if (code.category() == ErrorCode.Category.INTERNAL) {
      assertThat(text).doesNotContain("reason");
    } else {
      assertThat(text).endsWith("\"code\":\"" + code + "\",\"detail\":\"The \\\"reason\\\"\"}");
    }
  }

  @Test
  void failure_unexpected_hidesItsMessage() {
    var problem =
        new FaultLog(System::nanoTime).report(new IllegalStateException("jdbc:h2:/secret"));
    assertThat(problem.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(problem.publicMessage()).doesNotContain("secret");
  }
}
