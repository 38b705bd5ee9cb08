// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Runs commands as a user would type them. */
final class Shell {

  private Shell() {}

  /** Runs a command that must succeed and returns its output. */
  static String run(String command) {
    try {
      var process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as("%s: %s", command, text).isZero();
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
