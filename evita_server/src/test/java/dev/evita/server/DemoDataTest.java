// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DemoDataTest {

  @Test
  void load_rows_areManyAndAlwaysTheSame() {
    var counts = new HashMap<String, Integer>();
    var hashes = hashes(counts);

    assertThat(counts.get("products")).isGreaterThanOrEqualTo(10_000);
    assertThat(counts.get("order_lines")).isGreaterThanOrEqualTo(200_000);
    assertThat((double) counts.values().stream().mapToInt(Integer::intValue).sum())
        .isBetween(DemoData.ROWS_ABOUT * 0.95, DemoData.ROWS_ABOUT * 1.05);
    assertThat(hashes).isEqualTo(hashes(new HashMap<>()));
  }

  private static Map<String, Integer> hashes(Map<String, Integer> counts) {
    var hashes = new HashMap<String, Integer>();
    new DemoData()
        .load((target, rows) ->
            rows.each(row -> {
              assertThat(row).hasSameSizeAs(target.columns());
              counts.merge(target.table(), 1, Integer::sum);
              hashes.merge(target.table(), Arrays.hashCode(row), (a, b) -> 31 * a + b);
            }));
    return hashes;
  }
}
