// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowSink;
import dev.evita.api.Script;
import dev.evita.api.Transaction;
import dev.evita.api.testkit.ForwardingEngine;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.rest.RestServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of the idempotency keys cannot be created, at first or at all. */
@Timeout(60)
final class IdempotencyTableIT {

  private static final String BRAND = "{\"id\":4,\"name\":\"N\"}";

  /** The first scripts fail, as when others create the same table at the same moment. */
  private static final class ContestedEngine extends ForwardingEngine {
    private final AtomicInteger failures;

    ContestedEngine(Engine engine, int failures) {
      super(engine);
      this.failures = new AtomicInteger(failures);
    }

    @Override
    public Prepared prepare(Operation operation) {
      var prepared = super.prepare(operation);
      return operation instanceof Script ? new Contested(prepared) : prepared;
    }

    private final class Contested extends ForwardingPrepared {
      Contested(Prepared prepared) {
        super(prepared);
      }

      @Override
      public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
        if (failures.getAndDecrement() > 0) {
          sink.failed(new EvitaException(ErrorCode.DATABASE_ERROR, "object already exists"));
        } else {
          super.run(arguments, transaction, sink);
        }
      }
    }
  }

  private static RestServer over(int failures) {
    return RestServer.shop(
        (Engine engine) -> new ContestedEngine(engine, failures), ServerOptions.DEFAULT);
  }

  @Test
  void createdConcurrently_isRetried() {
    try (var rest = over(2)) {
      var first = rest.write("POST", "/brands", BRAND, "Idempotency-Key", "k");
      assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
      var again = rest.write("POST", "/brands", BRAND, "Idempotency-Key", "k");
      assertThat(again.headers().firstValue("idempotent-replayed")).contains("true");
    }
  }

  @Test
  void tableCannotBeCreated_errorContainsTheStatement() {
    try (var rest = over(Integer.MAX_VALUE)) {
      var answer = rest.write("POST", "/brands", BRAND, "Idempotency-Key", "k");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body())
          .contains("UNSUPPORTED_OPERATION", "object already exists", "create table if not exists");
      assertThat(rest.get("/brands?id=eq.4")).isEqualTo("[]");
    }
  }
}
