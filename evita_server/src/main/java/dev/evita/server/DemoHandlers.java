// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.sql.SqlOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The demo's HTTP handlers, as files that its user can edit. */
final class DemoHandlers {

  private static final List<String> FILES =
      List.of(
          "handlers/headers.sql",
          "handlers/price.sql",
          "handlers/product.sql",
          "handlers/review.sql",
          "handlers/shop.sql",
          "templates/head.html",
          "templates/product.html",
          "templates/shop.html");

  private DemoHandlers() {}

  /**
   * Writes the files that do not exist yet; edited ones are kept.
   *
   * @param directory that of the demo
   * @return the options with the handlers, unless others are configured
   * @throws EvitaException {@code INVALID_CONFIGURATION} if the directory is not writable
   */
  static SqlOptions in(Path directory, SqlOptions configured) {
    if (configured.handlers() != null) {
      return configured;
    }
    try {
      for (var name : FILES) {
        var file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        if (!Files.exists(file)) {
          try (var text = DemoHandlers.class.getResourceAsStream("demo/" + name)) {
            if (text == null) {
              throw new IllegalStateException("no resource " + name);
            }
            Files.copy(text, file);
          }
        }
      }
    } catch (IOException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "cannot write to " + directory + "; choose another directory with --data",
          e);
    }
    var builder = configured.toBuilder().handlers(directory.resolve("handlers"));
    return configured.templates() == null
        ? builder.templates(directory.resolve("templates")).build()
        : builder.build();
  }
}
