// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

/** The script by which {@code wrk} sends transactions with random values, the same in each run. */
final class TpcbScript {

  private static final String SCRIPT =
      """
      wrk.method = "POST"
      wrk.headers["Host"] = "localhost"
      wrk.headers["Content-Type"] = "application/json"
      local requests = {}
      local next = 0
      init = function(args)
        math.randomseed(4711)
        for i = 1, 20000 do
          requests[i] = wrk.format(nil, nil, nil, string.format(
            '{"aid":%d,"tid":%d,"bid":%d,"delta":%d}', math.random(1, ACCOUNTS),
            math.random(1, TELLERS), math.random(1, BRANCHES), math.random(-5000, 5000)))
        end
      end
      request = function()
        next = next % #requests + 1
        return requests[next]
      end
      """;

  private TpcbScript() {}

  /**
   * Returns the script.
   *
   * @param scale of pgbench
   */
  static String of(int scale) {
    return SCRIPT
        .replace("ACCOUNTS", String.valueOf(scale * TpcbDatabase.ACCOUNTS))
        .replace("TELLERS", String.valueOf(scale * TpcbDatabase.TELLERS))
        .replace("BRANCHES", String.valueOf(scale));
  }
}
