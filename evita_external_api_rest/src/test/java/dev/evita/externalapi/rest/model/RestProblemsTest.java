// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RestProblemsTest {

  /** PostgREST's own codes, SQLSTATEs, and the names of codes that neither knows. */
  @ParameterizedTest
  @EnumSource
  void code_ofAnyFailure_isOneThatClientsKnowOrItsName(ErrorCode code) {
    assertThat(RestProblems.code(code)).matches("PGRST[0-9]{3}|[0-9A-Z]{5}|" + code.name());
  }
}
