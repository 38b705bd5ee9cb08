// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.nio.file.Path;
import java.util.Map;

/** Options of tests. */
final class TestOptions {

  private TestOptions() {}

  static DatabaseOptions withInit(String url, Path script) {
    var settings =
        Map.of("db", Setting.of("test", url), "init", Setting.of("test", script.toString()));
    return new ConfigurationKeys(Configuration.DEFAULT).configuration(settings).database();
  }
}
