// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.testkit.FaultyEngine;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.server.ApiClient.Answer;
import dev.evita.server.ApiClient.Api;
import io.grpc.Status;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each error code that an engine may return, in the form of each protocol, over a socket. */
@Timeout(120)
final class ErrorFormsIT {

  private static final String URL = "jdbc:h2:mem:error-forms";

  private static FaultyEngine engine;
  private static ExternalApiServer server;
  private static ApiClient client;

  @BeforeAll
  static void start() throws SQLException {
    engine = new FaultyEngine(JdbcEngine.open(URL));
    try (var connection = DriverManager.getConnection(URL);
        var statement = connection.createStatement()) {
      statement.execute("create table pets (id int primary key, name varchar(20))");
    }
    server = ExternalApiServer.over(engine).port(0).start();
    client = new ApiClient(server.uri());
    engine.failing(1);
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
    engine.close();
  }

  /** Codes that an engine defines by itself. */
  private enum EngineCode implements EvitaException.Code {
    QUOTA_EXCEEDED(ErrorCode.Category.USER),
    SHARD_LOST(ErrorCode.Category.EXTERNAL),
    REBALANCING(ErrorCode.Category.RESOURCES),
    BROKEN(ErrorCode.Category.INTERNAL);

    private final ErrorCode.Category category;

    EngineCode(ErrorCode.Category category) {
      this.category = category;
    }

    @Override
    public ErrorCode.Category category() {
      return category;
    }
  }

  /** All but that of a disconnected client, which receives no response. */
  static Stream<Arguments> codes() {
    return Stream.of(ErrorCode.values(), HttpErrorCode.values(), EngineCode.values())
        .<EvitaException.Code>flatMap(Stream::of)
        .filter(code -> code != ErrorCode.CLIENT_GONE)
        .flatMap(code -> Stream.of(Api.values()).map(api -> Arguments.of(code, api)));
  }

  @ParameterizedTest
  @MethodSource("codes")
  void code_byEachProtocol_hasItsForm(EvitaException.Code code, Api api) {
    engine.failingBy(code);
    var answer = client.insert(api, 1, null);
    // What is internal to the server or to an engine has one name outside.
    var shown = code.category() == ErrorCode.Category.INTERNAL ? "INTERNAL" : code.name();
    assertThat(answer.code()).as(answer.toString()).isEqualTo(shown);
    switch (api) {
      case REST -> {
        assertThat(answer.body())
            .contains("\"status\":" + answer.status(), "\"code\":", "\"message\":", "\"details\":")
            .contains("\"hint\":");
        requireHttp(answer);
      }
      case GRAPHQL, GRAPHQL_RESPONSE -> {
        assertThat(answer.body())
            .contains("\"errors\":[{\"message\":", "\"extensions\":{\"code\":\"" + shown);
        requireHttp(answer);
      }
      case GRPC -> // its ErrorInfo has the code
          assertThat(answer.status()).as(answer.toString()).isNotEqualTo(Status.Code.OK.name());
    }
  }

  /** All failures that a retry may resolve have Retry-After, and no others. */
  private static void requireHttp(Answer answer) {
    assertThat(answer.status()).as(answer.toString()).matches("200|[45]\\d\\d");
    assertThat(answer.retryAfter()).as(answer.toString()).isEqualTo(answer.status().equals("503"));
  }
}
