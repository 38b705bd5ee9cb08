// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches that lock the same rows in opposite order: the database aborts one of two. */
final class DeadlockIT {

  private static final int BATCHES = 25;

  /** PostgreSQL looks for deadlocks after a second by default; this makes it faster. */
  private static final String QUICK =
      """
      do $$ begin execute
        format('alter database %I set deadlock_timeout = ''5ms''', current_database()); end $$;
      """;

  private static String batch(int first, int second) {
    var one = "{\"method\":\"PATCH\",\"url\":\"brands?id=eq.%d\",\"body\":{\"founded\":%<d}}";
    return "{\"requests\":[" + one.formatted(first) + "," + one.formatted(second) + "]}";
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  @Timeout(120)
  void batchesInOppositeOrder_allSucceed(String kind) {
    var script = RestServer.SHOP + (kind.equals("postgresql") ? QUICK : "");
    try (var rest = RestServer.over(kind, script, Limits.DEFAULT)) {
      var both =
          List.of(batch(1, 2), batch(2, 1)).stream()
              .map(body ->
                  CompletableFuture.supplyAsync(() ->
                      IntStream.range(0, BATCHES)
                          .mapToObj(i -> rest.write("POST", "/$batch", body))
                          .toList()))
              .toList();
      for (var answers : both) {
        assertThat(answers.join())
            .allSatisfy(answer -> assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200));
      }
    }
  }
}
