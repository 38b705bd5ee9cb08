// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RestProblemsTest {

  static Stream<EvitaException.Code> code_ofAnyFailure_isOneThatClientsKnowOrItsName() {
    return Stream.concat(Stream.of(ErrorCode.values()), Stream.of(HttpErrorCode.values()));
  }

  /** PostgREST's own codes, SQLSTATEs, and the names of codes unknown to both. */
  @ParameterizedTest
  @MethodSource
  void code_ofAnyFailure_isOneThatClientsKnowOrItsName(EvitaException.Code code) {
    assertThat(RestProblems.code(code)).matches("PGRST[0-9]{3}|[0-9A-Z]{5}|" + code.name());
  }
}
